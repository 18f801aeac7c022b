package io.rivulet.store.block.read;

import java.io.IOException;

/**
 * A part of one block file can't be read, or differs from what was written. Only the reads that need that part fail;
 * they return no altered byte.
 */
public final class BlockReadException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Why a part of a file can't be used. */
    public enum Kind {
        /** The bytes differ from those that were written. */
        CORRUPT,
        /** The disk reported an error. */
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

    public static BlockReadException corrupt(String fileName, long address, String what) {
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

    /** The name of the block file, which has its number. */
    public String fileName() {
        return fileName;
    }

    /** Where in the file the unusable part begins. */
    public long address() {
        return address;
    }
}
