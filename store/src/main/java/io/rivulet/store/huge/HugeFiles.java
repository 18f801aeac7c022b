package io.rivulet.store.huge;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The folder with the files of huge batches. A file never changes, and its number is never used again.
 *
 * <p>Crash policy: a file has another name until all of it is durable; then it is renamed, and the folder is synced.
 * Only then is a reference to it appended to the log. So a crash leaves files without a reference, and never a
 * reference without its file. Files without a reference were never acknowledged.
 *
 * <p>Memory: none; it uses the buffers of the caller. Immutable. Any thread.
 */
public final class HugeFiles {
    /** The name of the folder in the data directory. It is created with its first file. */
    public static final String FOLDER = "huge";

    /** Bytes go to the disk in portions, so that no fsync of the log waits for many of them. */
    private static final int PORTION_BYTES = 512 << 10;

    private static final int ALIGNMENT_BYTES = 4096;
    private static final int READ_BYTES = 1 << 20;

    private final Disk root;
    private final long storeId;
    private final boolean forces;

    /** @param forces whether a file is forced to the disk before it is used */
    public HugeFiles(Disk root, long storeId, boolean forces) {
        this.root = root;
        this.storeId = storeId;
        this.forces = forces;
    }

    /** A buffer for {@link #write}. */
    static ByteBuffer newPortion() {
        return ByteBuffer.allocateDirect(PORTION_BYTES + ALIGNMENT_BYTES)
                .alignedSlice(ALIGNMENT_BYTES)
                .slice(0, PORTION_BYTES);
    }

    /**
     * Writes the bytes between position and limit to a new file, durably. Position and limit do not change. After a
     * failure there is no file.
     *
     * @param portion the bytes go through it, on their way past the page cache
     * @return CRC32C of the bytes
     */
    int write(long number, int queueId, ByteBuffer payload, ByteBuffer portion) throws IOException {
        Disk folder = root.directory(FOLDER);
        String unfinished = HugeFileLayout.unfinishedName(number);
        boolean done = false;
        try {
            int payloadCrc;
            try (DiskFile file = folder.createUncached(unfinished)) {
                payloadCrc = write(file, payload.duplicate(), portion);
                file.truncate(HugeFileLayout.HEADER_BYTES + (long) payload.remaining());
                file.writeCached(0, HugeFileLayout.header(storeId, number, queueId, payload.remaining(), payloadCrc));
                force(file);
            }
            folder.rename(unfinished, HugeFileLayout.name(number));
            if (forces) {
                folder.syncDirectory();
            }
            done = true;
            return payloadCrc;
        } finally {
            if (!done) {
                abandon(folder, number);
            }
        }
    }

    /** Leaves room for the header, and writes zeros after the last byte as the alignment wants. */
    private int write(DiskFile file, ByteBuffer rest, ByteBuffer portion) throws IOException {
        boolean isCached = file.alignmentBytes() == 1;
        CRC32C crc = new CRC32C();
        portion.clear().put(new byte[HugeFileLayout.HEADER_BYTES]);
        long address = 0;
        while (rest.hasRemaining()) {
            ByteBuffer part = rest.slice(rest.position(), Math.min(portion.remaining(), rest.remaining()));
            rest.position(rest.position() + part.limit());
            crc.update(part.duplicate());
            portion.put(part);
            while (portion.position() % file.alignmentBytes() != 0) {
                portion.put((byte) 0);
            }
            file.write(address, portion.flip());
            address += portion.limit();
            portion.clear();
            if (isCached) {
                force(file);
            }
        }
        return (int) crc.getValue();
    }

    private void force(DiskFile file) throws IOException {
        if (forces) {
            file.force();
        }
    }

    /** Nothing refers to the file. If it can't be deleted, the next start finds it. */
    private static void abandon(Disk folder, long number) {
        for (String name : List.of(HugeFileLayout.unfinishedName(number), HugeFileLayout.name(number))) {
            try {
                if (folder.exists(name)) {
                    folder.delete(name);
                }
            } catch (IOException e) {
                // The failure that led here is thrown.
            }
        }
    }

    /**
     * Reads a batch into the target, from its position on, and verifies its checksum.
     *
     * @throws IOException if the file is missing, damaged or of a later version; the target's content is undefined then
     */
    void read(long number, int length, int wantedCrc, ByteBuffer target) throws IOException {
        CRC32C crc = new CRC32C();
        try (DiskFile file = open(number)) {
            Optional<String> wrong = HugeFileLayout.wrongVersion(header(file));
            if (wrong.isPresent()) {
                throw new IOException(path(number) + " " + wrong.get());
            }
            for (int done = 0; done < length; done += READ_BYTES) {
                ByteBuffer part = target.slice(target.position(), Math.min(READ_BYTES, length - done));
                readFully(file, HugeFileLayout.HEADER_BYTES + (long) done, part);
                target.position(target.position() + part.limit());
                crc.update(part.flip());
            }
        }
        if ((int) crc.getValue() != wantedCrc) {
            throw new IOException("wrong checksum of the batch in " + path(number));
        }
    }

    /** Reads the first bytes of a batch, unverified. */
    void readHead(long number, ByteBuffer target) throws IOException {
        try (DiskFile file = open(number)) {
            readFully(file, HugeFileLayout.HEADER_BYTES, target);
        }
    }

    /** Whether the batch is there and undamaged. For tools; allocates 1 MiB. */
    public boolean isWhole(long lsn, int length, int wantedCrc) {
        long number = StreamRecord.hugeNumber(lsn);
        CRC32C crc = new CRC32C();
        ByteBuffer part = ByteBuffer.allocateDirect(READ_BYTES);
        try (DiskFile file = open(number)) {
            for (int done = 0; done < length; done += READ_BYTES) {
                readFully(
                        file,
                        HugeFileLayout.HEADER_BYTES + (long) done,
                        part.clear().limit(Math.min(READ_BYTES, length - done)));
                crc.update(part.flip());
            }
        } catch (IOException e) {
            return false;
        }
        return (int) crc.getValue() == wantedCrc;
    }

    /** What is wrong if the file with this name is of another version. */
    public Optional<String> wrongVersion(String name) {
        if (!HugeFileLayout.isName(name)) {
            return Optional.empty();
        }
        try (DiskFile file = open(HugeFileLayout.number(name))) {
            return HugeFileLayout.wrongVersion(header(file));
        } catch (IOException e) {
            return Optional.empty(); // what refers to it reports that
        }
    }

    private DiskFile open(long number) throws IOException {
        if (!exists(number)) {
            throw new IOException(path(number) + " is missing");
        }
        return root.directory(FOLDER).open(HugeFileLayout.name(number));
    }

    private void readFully(DiskFile file, long address, ByteBuffer target) throws IOException {
        file.read(address, target);
        if (target.hasRemaining()) {
            throw new IOException(FOLDER + "/" + file.name() + " is too short");
        }
    }

    boolean exists(long number) throws IOException {
        return root.exists(FOLDER) && root.directory(FOLDER).exists(HugeFileLayout.name(number));
    }

    /** Deletes a file that nothing refers to; no effect if there is none. */
    void delete(long number) throws IOException {
        if (exists(number)) {
            root.directory(FOLDER).delete(HugeFileLayout.name(number));
        }
    }

    /** The queue of a complete file's batch, from its header. */
    int queueId(long number) throws IOException {
        try (DiskFile file = open(number)) {
            return HugeFileLayout.queueId(header(file), storeId, number);
        }
    }

    private ByteBuffer header(DiskFile file) throws IOException {
        ByteBuffer header = ByteBuffer.allocateDirect(HugeFileLayout.HEADER_BYTES);
        readFully(file, 0, header);
        return header.flip();
    }

    void deleteUnfinished(String name) throws IOException {
        root.directory(FOLDER).delete(name);
    }

    /** The names of all files in the folder, sorted. */
    public List<String> names() throws IOException {
        return root.exists(FOLDER) ? root.directory(FOLDER).list() : List.of();
    }

    /** Relative to the data directory. */
    public static String path(long number) {
        return FOLDER + "/" + HugeFileLayout.name(number);
    }
}
