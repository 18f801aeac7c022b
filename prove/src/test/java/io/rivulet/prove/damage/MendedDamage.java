package io.rivulet.prove.damage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Damage whose checksum is right: a broker that does not verify this checksum would see no more. The places of the
 * fields are those of docs/ON_DISK_FORMAT.md. Stateless.
 */
final class MendedDamage {
    private static final int GROUP_MAGIC = 0x52764772;
    private static final int SEGMENT_HEADER_BYTES = 4096;
    private static final int STORE_ID_AT = 16;
    private static final int GROUP_HEADER_BYTES = 56;
    private static final int BLOCKS_AT = 64;
    private static final int BLOCK_HEADER_BYTES = 24;
    private static final int CHUNK_HEADER_BYTES = 8;

    private MendedDamage() {}

    /** Changes the last byte of the first block of each block file. */
    static void blocks(Path directory) throws IOException {
        for (String name : Tree.files(directory)) {
            if (name.endsWith(".blocks")) {
                ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name)));
                int end = BLOCKS_AT + BLOCK_HEADER_BYTES + file.getInt(BLOCKS_AT + BLOCK_HEADER_BYTES - 4);
                flip(file, end - 1);
                file.putInt(BLOCKS_AT, crc(file.slice(BLOCKS_AT + 4, end - BLOCKS_AT - 4)));
                Files.write(directory.resolve(name), file.array());
            }
        }
    }

    /** Changes the last byte of each group of the log. */
    static void groups(Path directory) throws IOException {
        for (String name : Tree.files(directory)) {
            if (name.endsWith(".segment")) {
                ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name)));
                for (int at = SEGMENT_HEADER_BYTES; at + GROUP_HEADER_BYTES < file.limit(); at += 8) {
                    if (file.getInt(at) == GROUP_MAGIC) {
                        flip(file, at + GROUP_HEADER_BYTES + file.getInt(at + 8) - 1);
                        int length = file.getInt(at + 4);
                        int crc = crc(file.slice(STORE_ID_AT, 8), file.slice(at, length - 4));
                        file.putInt(at + length - 4, crc);
                        at += length - 8;
                    }
                }
                Files.write(directory.resolve(name), file.array());
            }
        }
    }

    /**
     * Changes a byte of the first chunk of a snapshot.
     *
     * @param fromEnd which, counted from the end of the chunk
     */
    static void snapshot(Path directory, String kind, int fromEnd) throws IOException {
        Path log = directory.resolve("log");
        byte[] state = Files.readAllBytes(log.resolve("log.state"));
        for (String name : Tree.files(directory)) {
            if (Damage.kindOf(name).equals("log/" + kind + "-N.snapshot")) {
                ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name)));
                int length = file.getInt(4);
                flip(file, CHUNK_HEADER_BYTES + length - fromEnd);
                String shortName = name.substring("log/".length(), name.length() - ".snapshot".length());
                file.putInt(
                        0,
                        crc(
                                ByteBuffer.wrap(state, STORE_ID_AT, 8).slice(),
                                ByteBuffer.allocate(8),
                                ByteBuffer.wrap(shortName.getBytes(StandardCharsets.UTF_8)),
                                file.slice(4, CHUNK_HEADER_BYTES - 4 + length)));
                Files.write(directory.resolve(name), file.array());
            }
        }
    }

    private static void flip(ByteBuffer file, int at) {
        file.put(at, (byte) (file.get(at) ^ 1));
    }

    private static int crc(ByteBuffer... parts) {
        CRC32C crc = new CRC32C();
        for (ByteBuffer part : parts) {
            crc.update(part.duplicate());
        }
        return (int) crc.getValue();
    }
}
