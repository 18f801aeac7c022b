package io.rivulet.store.block;

import java.io.IOException;

/**
 * A part of one block file can't be read, or is not what was written. Only the reads that need that part fail; no altered
 * byte was handed out.
 */
public final class BlockReadException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Why a part of a file is of no use. */
    public enum Kind {
        /** The bytes that were read are not those that were written. */
        CORRUPT,
        /** The disk refused to read. */
        UNREADABLE
    }

    private final Kind kind;
    private final String fileName;
    private final long address;

    private BlockReadException(Kind kind, String fileName, String message, long address) {
        super(message);
        this.fileName = fileName;
        this.kind = kind;
        this.address = address;
    }

    static BlockReadException corrupt(String fileName, long address, String what) {
        return new BlockReadException(
                Kind.CORRUPT,
                fileName,
                "corrupt block file " + fileName + " at address " + address + ": " + what,
                address);
    }

    static BlockReadException unreadable(String fileName, long address, IOException cause) {
        BlockReadException e = new BlockReadException(
                Kind.UNREADABLE, fileName, "unreadable block file " + fileName + " at address " + address, address);
        e.initCause(cause);
        return e;
    }

    public Kind kind() {
        return kind;
    }

    /** The block file, see {@link BlockFileId#fileNumber}. */
    public String fileName() {
        return fileName;
    }

    /** The byte of the file at which the part begins that can't be used. */
    public long address() {
        return address;
    }
}
