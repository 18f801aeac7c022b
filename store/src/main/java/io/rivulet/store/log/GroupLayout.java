package io.rivulet.store.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of a group. Big-endian.
 *
 * <pre>
 *   0        4        8        12       16                24
 *  +--------+--------+--------+--------+-----------------+
 *  | magic  | crc32c | length | body   | lsn             |
 *  +--------+--------+--------+--------+-----------------+ 24
 *  | epoch           | previousEndLsn  | forcedLsn       |
 *  +-----------------+-----------------+-----------------+ 48
 *  | timestamp       | entries| zero   | 64
 *  +-----------------+--------+--------+
 *  | body ...        | zeros up to length
 *  +-----------------+
 * </pre>
 *
 * <p>{@code length} is of everything, {@code body} of the body alone. The CRC covers the store's id and bytes 8 to length,
 * so a group of another store never passes for one of this. {@code previousEndLsn} is where the group before it ended,
 * which differs from {@code lsn} where a segment ends. {@code forcedLsn}: when this group was written, everything before
 * that was known to be on the disk; {@code GroupWalker} says what it is good for.
 *
 * <p>Crash policy: durable, checksummed.
 */
final class GroupLayout {
    static final int MAX_GROUP_BYTES = 4 << 20;
    /** What every group's length is a multiple of, and so its address in a segment. */
    static final int MIN_ALIGNMENT_BYTES = 8;

    static final int MAGIC = 0x52766731; // "Rvg1"
    static final int MAGIC_AT = 0;
    static final int CRC_AT = 4;
    static final int LENGTH_AT = 8;
    static final int BODY_LENGTH_AT = 12;
    static final int LSN_AT = 16;
    static final int EPOCH_AT = 24;
    static final int PREVIOUS_END_AT = 32;
    static final int FORCED_AT = 40;
    static final int TIMESTAMP_AT = 48;
    static final int ENTRY_COUNT_AT = 56;
    static final int ZERO_AT = 60;
    static final int HEADER_BYTES = 64;

    static final long NO_LSN = -1;

    private GroupLayout() {}

    /** Header, body and padding together. */
    static int paddedLength(int bodyBytes, int alignmentBytes) {
        int length = HEADER_BYTES + bodyBytes;
        return (length + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
    }

    /** The checksum of the group that starts at {@code start} and is {@code length} long. */
    static int crc(long storeId, ByteBuffer bytes, int start, int length) {
        CRC32C crc = new CRC32C();
        for (int shift = 56; shift >= 0; shift -= 8) {
            crc.update((int) (storeId >>> shift) & 0xff);
        }
        crc.update(bytes.slice(start + LENGTH_AT, length - LENGTH_AT));
        return (int) crc.getValue();
    }
}
