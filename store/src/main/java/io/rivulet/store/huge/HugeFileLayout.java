package io.rivulet.store.huge;

import io.rivulet.store.io.StartRefusedException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of the file of a huge batch. Big-endian.
 *
 * <pre>
 *   0        4        8        12       16                24
 *  +--------+--------+--------+--------+-----------------+
 *  | magic  | crc32c | version| queueId| storeId         |
 *  +--------+--------+--------+--------+-----------------+ 24
 *  | number          | length | payload's crc32c         |
 *  +-----------------+--------+--------------------------+ 40
 *  | zeros to 64     | payload                           |
 *  +-----------------+-----------------------------------+ 64 + length
 * </pre>
 *
 * <p>The first CRC covers bytes 8 to 64. Crash policy: durable, checksummed. A file with its final name is complete.
 */
final class HugeFileLayout {
    static final int HEADER_BYTES = 64;

    private static final int MAGIC = 0x52764862; // "RvHb"
    private static final int VERSION = 1;
    private static final int MAGIC_AT = 0;
    private static final int CRC_AT = 4;
    private static final int VERSION_AT = 8;
    private static final int QUEUE_AT = 12;
    private static final int STORE_AT = 16;
    private static final int NUMBER_AT = 24;
    private static final int LENGTH_AT = 32;
    private static final int PAYLOAD_CRC_AT = 36;

    private static final String SUFFIX = ".batch";
    private static final String UNFINISHED = ".unfinished";
    private static final int DIGITS = 12;

    private HugeFileLayout() {}

    static String name(long number) {
        return String.format(Locale.ROOT, "%0" + DIGITS + "d%s", number, SUFFIX);
    }

    static String unfinishedName(long number) {
        return name(number) + UNFINISHED;
    }

    /** Whether a complete file may have this name. */
    static boolean isName(String name) {
        return name.length() == DIGITS + SUFFIX.length()
                && name.endsWith(SUFFIX)
                && name.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9');
    }

    static boolean isUnfinishedName(String name) {
        return name.endsWith(UNFINISHED) && isName(name.substring(0, name.length() - UNFINISHED.length()));
    }

    /** The number in a name for which {@link #isName} or {@link #isUnfinishedName} is true. */
    static long number(String name) {
        return Long.parseLong(name.substring(0, DIGITS));
    }

    static ByteBuffer header(long storeId, long number, int queueId, int length, int payloadCrc) {
        ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES)
                .putInt(MAGIC_AT, MAGIC)
                .putInt(VERSION_AT, VERSION)
                .putInt(QUEUE_AT, queueId)
                .putLong(STORE_AT, storeId)
                .putLong(NUMBER_AT, number)
                .putInt(LENGTH_AT, length)
                .putInt(PAYLOAD_CRC_AT, payloadCrc);
        return header.putInt(CRC_AT, crc(header));
    }

    /**
     * The queue of a file's batch.
     *
     * @throws StartRefusedException if this is not the header of that file
     */
    static int queueId(ByteBuffer header, long storeId, long number) throws StartRefusedException {
        boolean sound = header.getInt(MAGIC_AT) == MAGIC
                && header.getInt(CRC_AT) == crc(header)
                && header.getInt(VERSION_AT) == VERSION
                && header.getLong(STORE_AT) == storeId
                && header.getLong(NUMBER_AT) == number;
        if (!sound) {
            throw new StartRefusedException(HugeFiles.FOLDER + "/" + name(number) + ": its header is damaged");
        }
        return header.getInt(QUEUE_AT);
    }

    /**
     * What is wrong if a sound header is of another version; empty if nothing is. A damaged header does not matter: the
     * batch has its own checksum.
     */
    static Optional<String> wrongVersion(ByteBuffer header) {
        int version = header.getInt(VERSION_AT);
        boolean isWrong =
                version != VERSION && header.getInt(MAGIC_AT) == MAGIC && header.getInt(CRC_AT) == crc(header);
        return isWrong ? Optional.of("has version " + version + ", this store reads " + VERSION) : Optional.empty();
    }

    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(VERSION_AT, HEADER_BYTES - VERSION_AT));
        return (int) crc.getValue();
    }
}
