package io.rivulet.prove.upgrade;

import io.rivulet.prove.damage.Tree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * A file of a version that this one can't know: its checksum is right, and its version is higher. The places are those
 * of docs/ON_DISK_FORMAT.md. The files of huge batches are not among them: a start does not read them. Immutable.
 */
enum NewerFormat {
    LOG_STATE("log/log.state", "log.state"),
    SEGMENT(".segment", ".segment"),
    BLOCK_FILE(".blocks", ".blocks"),
    MANIFEST("log/manifest.snapshot", "manifest"),
    QUEUES("log/queues-", "queue table"),
    PRODUCER_IDS("log/view-2-", "producer ids"),
    PRODUCERS("log/view-4-", "producers"),
    TRANSACTIONS("log/view-5-", "transactions");

    private static final int VERSION_AT = 8;
    private static final int CRC_AT = 4;
    private static final int CHUNK_HEADER_BYTES = 8;
    private static final int STORE_ID_AT = 16;
    private static final int FOOTER_BYTES = 192;
    private static final int STATE_BYTES = 40;
    private static final int SEGMENT_HEADER_BYTES = 4096;
    private static final int MORE = 77;

    private final String part;
    private final String named;

    /**
     * @param part of the names of such files
     * @param named how a refusal names it
     */
    NewerFormat(String part, String named) {
        this.part = part;
        this.named = named;
    }

    /** Whether a refusal says what it refuses, and that its version is the reason. */
    boolean isNamedBy(String refusal) {
        return refusal.contains(named) && (refusal.contains("version") || refusal.contains("format"));
    }

    /** Its name in the table. */
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Changes the files of this kind. Returns their names; there may be none. */
    List<String> in(Path directory) throws IOException {
        byte[] state = Files.readAllBytes(directory.resolve("log/log.state"));
        List<String> names = Tree.files(directory).stream()
                .filter(name -> (part.startsWith(".") ? name.endsWith(part) : name.startsWith(part)))
                .toList();
        for (String name : names) {
            ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name)));
            change(file, name, ByteBuffer.wrap(state, STORE_ID_AT, Long.BYTES).slice());
            Files.write(directory.resolve(name), file.array());
        }
        return names;
    }

    private void change(ByteBuffer file, String name, ByteBuffer storeId) {
        switch (this) {
            case LOG_STATE -> header(file, STATE_BYTES);
            case SEGMENT -> header(file, SEGMENT_HEADER_BYTES);
            case BLOCK_FILE -> footer(file);
            case MANIFEST, QUEUES -> snapshot(file, name, storeId, Integer.BYTES - (this == MANIFEST ? 1 : 0));
            default -> snapshot(file, name, storeId, 0);
        }
    }

    private static void header(ByteBuffer file, int length) {
        file.putInt(VERSION_AT, MORE);
        file.putInt(CRC_AT, crc(file.slice(VERSION_AT, length - VERSION_AT)));
    }

    private static void footer(ByteBuffer file) {
        int at = file.limit() - FOOTER_BYTES;
        file.putLong(at + VERSION_AT, MORE);
        file.putInt(file.limit() - Integer.BYTES, crc(file.slice(at, FOOTER_BYTES - Integer.BYTES)));
    }

    /** @param versionAt the last byte of the version, in the content of the first chunk */
    private static void snapshot(ByteBuffer file, String name, ByteBuffer storeId, int versionAt) {
        file.put(CHUNK_HEADER_BYTES + versionAt, (byte) MORE);
        String shortName = name.substring("log/".length(), name.length() - ".snapshot".length());
        file.putInt(
                0,
                crc(
                        storeId,
                        ByteBuffer.allocate(Long.BYTES),
                        ByteBuffer.wrap(shortName.getBytes(StandardCharsets.UTF_8)),
                        file.slice(CRC_AT, CHUNK_HEADER_BYTES - CRC_AT + file.getInt(CRC_AT))));
    }

    private static int crc(ByteBuffer... parts) {
        CRC32C crc = new CRC32C();
        for (ByteBuffer part : parts) {
            crc.update(part.duplicate());
        }
        return (int) crc.getValue();
    }
}
