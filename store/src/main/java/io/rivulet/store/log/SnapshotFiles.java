package io.rivulet.store.log;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Snapshots as files. Any thread, one at a time for each name. Big-endian.
 *
 * <pre>
 *  chunks, one after the other:
 *   0        4        8
 *  +--------+--------+--------------------+
 *  | crc32c | length | bytes ...          |
 *  +--------+--------+--------------------+ 8 + length
 * </pre>
 *
 * <p>The CRC covers the store's id, the address of the chunk in the file, the snapshot's name, and the chunk from byte
 * 4 on. So exchanged chunks or files are detected. The last chunk is the only one of length 0: a file without it is
 * incomplete. In files of earlier versions the CRC does not cover the name; these are read, too.
 *
 * <p>Crash policy: durable, checksummed; written to a temporary file, forced, renamed, directory synced.
 */
public final class SnapshotFiles {
    private static final String SUFFIX = ".snapshot";
    private static final String ASIDE_SUFFIX = ".snapshot.new";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]+");

    private static final byte[] NO_NAME = {};

    private static final int CRC_AT = 0;
    private static final int LENGTH_AT = 4;
    private static final int BYTES_AT = 8;
    private static final int CHUNK_BYTES = 256 << 10;

    private final Disk disk;
    private final long storeId;

    public SnapshotFiles(Disk disk, long storeId) {
        this.disk = disk;
        this.storeId = storeId;
    }

    public void save(String name, CommitLog.SnapshotWriter writer) throws IOException {
        String file = fileName(name);
        String aside = name + ASIDE_SUFFIX;
        if (disk.exists(aside)) {
            disk.delete(aside);
        }
        try (DiskFile target = disk.create(aside)) {
            ChunkWriter chunks = new ChunkWriter(target, name);
            writer.writeTo(chunks);
            chunks.close();
            target.force();
        }
        disk.renameDurably(aside, file);
    }

    public boolean load(String name, CommitLog.SnapshotReader reader) throws IOException {
        String file = fileName(name);
        if (!disk.exists(file)) {
            return false;
        }
        requireFile(disk, file);
        try (DiskFile source = disk.open(file)) {
            reader.readFrom(new ChunkReader(source, name));
        }
        return true;
    }

    /** @throws DamagedLogException if the name belongs to something else: a folder, a dangling link, a named pipe */
    public static void requireFile(Disk disk, String name) throws IOException {
        if (!disk.list().contains(name)) {
            throw new DamagedLogException(name, 0, "this is no file");
        }
    }

    public List<String> list() throws IOException {
        return disk.list().stream()
                .filter(SnapshotFiles::isSnapshot)
                .map(file -> file.substring(0, file.length() - SUFFIX.length()))
                .toList();
    }

    /** Whether a file has the name of a snapshot. */
    public static boolean isSnapshot(String file) {
        return file.endsWith(SUFFIX)
                && NAME.matcher(file.substring(0, file.length() - SUFFIX.length()))
                        .matches();
    }

    public void delete(String name) throws IOException {
        String file = fileName(name);
        if (disk.exists(file)) {
            disk.delete(file);
            disk.syncDirectory();
        }
    }

    private static String fileName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a snapshot can't be called '" + name + "'; allowed is " + NAME);
        }
        return name + SUFFIX;
    }

    private int crc(ByteBuffer chunk, long address, byte[] name) {
        CRC32C crc = new CRC32C();
        ByteBuffer place = ByteBuffer.allocate(2 * Long.BYTES);
        crc.update(place.putLong(storeId).putLong(address).flip());
        crc.update(name);
        crc.update(chunk.slice(LENGTH_AT, chunk.limit() - LENGTH_AT));
        return (int) crc.getValue();
    }

    /** Gathers bytes into chunks. */
    private final class ChunkWriter implements WritableByteChannel {
        private final DiskFile file;
        private final ByteBuffer chunk = ByteBuffer.allocateDirect(BYTES_AT + CHUNK_BYTES);
        private final byte[] name;
        private long address;
        private boolean open = true;

        ChunkWriter(DiskFile file, String name) {
            this.file = file;
            this.name = name.getBytes(StandardCharsets.US_ASCII);
            chunk.position(BYTES_AT);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            int count = source.remaining();
            while (source.hasRemaining()) {
                int part = Math.min(source.remaining(), chunk.remaining());
                chunk.put(chunk.position(), source, source.position(), part);
                chunk.position(chunk.position() + part);
                source.position(source.position() + part);
                if (!chunk.hasRemaining()) {
                    writeChunk();
                }
            }
            return count;
        }

        private void writeChunk() throws IOException {
            chunk.flip();
            chunk.putInt(LENGTH_AT, chunk.limit() - BYTES_AT);
            chunk.putInt(CRC_AT, crc(chunk, address, name));
            int length = chunk.limit();
            file.write(address, chunk);
            address += length;
            chunk.clear().position(BYTES_AT);
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() throws IOException {
            if (!open) {
                return;
            }
            open = false;
            if (chunk.position() > BYTES_AT) {
                writeChunk();
            }
            writeChunk();
        }
    }

    /** Returns the bytes of one verified chunk after the other. */
    private final class ChunkReader implements ReadableByteChannel {
        private final DiskFile file;
        private final ByteBuffer chunk = ByteBuffer.allocateDirect(BYTES_AT + CHUNK_BYTES);
        private final byte[] name;
        private long address;
        private boolean ended;

        ChunkReader(DiskFile file, String name) {
            this.file = file;
            this.name = name.getBytes(StandardCharsets.US_ASCII);
            chunk.limit(0);
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            if (!chunk.hasRemaining() && !ended) {
                readChunk();
            }
            if (!chunk.hasRemaining()) {
                return -1;
            }
            int part = Math.min(target.remaining(), chunk.remaining());
            target.put(target.position(), chunk, chunk.position(), part);
            target.position(target.position() + part);
            chunk.position(chunk.position() + part);
            return part;
        }

        private void readChunk() throws IOException {
            int count = file.read(address, chunk.clear());
            int length = count < BYTES_AT ? -1 : chunk.getInt(LENGTH_AT);
            if (length < 0 || length > count - BYTES_AT) {
                throw new DamagedLogException(file.name(), address, "the snapshot is cut off");
            }
            chunk.position(0).limit(BYTES_AT + length);
            int written = chunk.getInt(CRC_AT);
            if (written != crc(chunk, address, name) && written != crc(chunk, address, NO_NAME)) {
                throw new DamagedLogException(file.name(), address, "the snapshot is altered");
            }
            address += BYTES_AT + length;
            ended = length == 0;
            chunk.position(BYTES_AT);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
