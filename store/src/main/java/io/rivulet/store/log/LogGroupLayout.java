package io.rivulet.store.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a group. Big-endian.
 *
 * <pre>
 *   0        4        8        12       16                24
 *  +--------+--------+--------+--------+-----------------+
 *  | magic  | length | body   | entries| lsn             |
 *  +--------+--------+--------+--------+-----------------+ 24
 *  | epoch           | previousEndLsn  | forcedLsn       |
 *  +-----------------+-----------------+-----------------+ 48
 *  | doubt, timestamp| body ...                          | 56
 *  +-----------------+------------------+----------------+
 *  | ... body        | zeros                    | crc32c |
 *  +-----------------+--------------------------+--------+ length
 * </pre>
 *
 * <p>{@code length} is of everything, {@code body} of the body alone. {@code previousEndLsn} is where the group before
 * this one ended, which differs from {@code lsn} at the start of a segment. {@code forcedLsn}: when this group was
 * written, everything before that lsn was known to be on the disk; a log in files needs it to find its end.
 *
 * <p>The timestamp, in milliseconds since 1970, is in the lower 44 bits of its eight bytes. The upper 20 are the hours
 * by which the true time may be earlier, according to {@link io.rivulet.store.time.StoreClock}; mostly 0.
 *
 * <p>The CRC covers the store's id and bytes 0 to length - 4. Because of the id, a group of another store is never
 * valid, nor one that a client has sent as payload. The CRC is at the end, because a write to a full disk leaves the
 * beginning of the group in front of bytes that are often zero. With the CRC at the front, a body that ends in zeros
 * would then look complete.
 *
 * <p>Crash policy: durable, checksummed.
 */
public final class LogGroupLayout {
    public static final int MAX_GROUP_BYTES = 4 << 20;
    /** The length of each group is a multiple of this, and so is its address in a segment. */
    public static final int MIN_ALIGNMENT_BYTES = 8;

    public static final int MAGIC = 0x52764772; // "RvGr"
    public static final int MAGIC_AT = 0;
    public static final int LENGTH_AT = 4;
    public static final int BODY_LENGTH_AT = 8;
    public static final int ENTRY_COUNT_AT = 12;
    public static final int LSN_AT = 16;
    public static final int EPOCH_AT = 24;
    public static final int PREVIOUS_END_AT = 32;
    public static final int FORCED_AT = 40;
    public static final int TIMESTAMP_AT = 48;
    public static final int HEADER_BYTES = 56;
    private static final int TIMESTAMP_BITS = 44;
    private static final long MAX_TIMESTAMP = (1L << TIMESTAMP_BITS) - 1;
    private static final long MAX_DOUBT_HOURS = (1L << (Long.SIZE - TIMESTAMP_BITS)) - 1;
    private static final long HOUR_MILLIS = 3_600_000;
    public static final int CRC_BYTES = 4;

    public static final long NO_LSN = -1;

    private LogGroupLayout() {}

    /** Rounds both so that the decoded time is not later and the decoded doubt not smaller. */
    static long packed(long timestampMillis, long doubtMillis) {
        long doubtHours = Math.min(MAX_DOUBT_HOURS, (doubtMillis + HOUR_MILLIS - 1) / HOUR_MILLIS);
        return doubtHours << TIMESTAMP_BITS | Math.max(0, Math.min(MAX_TIMESTAMP, timestampMillis));
    }

    /** The maximum means any larger value too: the true time may be any earlier one. */
    private static long doubtMillis(long packed) {
        long doubtHours = packed >>> TIMESTAMP_BITS;
        return doubtHours == MAX_DOUBT_HOURS ? MAX_TIMESTAMP : doubtHours * HOUR_MILLIS;
    }

    /** Length of header, body, padding and CRC. */
    public static int paddedLength(int bodyBytes, int alignmentBytes) {
        int length = HEADER_BYTES + bodyBytes + CRC_BYTES;
        return (length + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
    }

    /** The checksum of the group that starts at {@code start} and is {@code length} long. */
    public static int crc(long storeId, ByteBuffer bytes, int start, int length) {
        return crcWithId(storeId, bytes.slice(start, length - CRC_BYTES));
    }

    /** The checksum of a group that ends after its header. */
    static int headerCrc(long storeId, ByteBuffer group) {
        return crcWithId(storeId, group.slice(0, HEADER_BYTES));
    }

    private static int crcWithId(long storeId, ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            crc.update((int) (storeId >>> shift) & 0xff);
        }
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Checks the fields that must be right before the length can be used. Null if there is no problem. */
    public static @Nullable String headerProblem(ByteBuffer bytes, int start, long lsn) {
        if (bytes.getInt(start + MAGIC_AT) != MAGIC) {
            return "no group starts here";
        }
        if (bytes.getLong(start + LSN_AT) != lsn) {
            return "the group here belongs at lsn " + Long.toHexString(bytes.getLong(start + LSN_AT));
        }
        int length = bytes.getInt(start + LENGTH_AT);
        if (length < HEADER_BYTES + CRC_BYTES || length > MAX_GROUP_BYTES || length % MIN_ALIGNMENT_BYTES != 0) {
            return "a group can't be " + length + " bytes long";
        }
        int bodyLength = bytes.getInt(start + BODY_LENGTH_AT);
        if (bodyLength < 0 || bodyLength > length - HEADER_BYTES - CRC_BYTES) {
            return "a body of " + bodyLength + " bytes does not fit into a group of " + length;
        }
        return null;
    }

    public static boolean crcMatches(long storeId, ByteBuffer bytes, int start, int length) {
        return bytes.getInt(start + length - CRC_BYTES) == crc(storeId, bytes, start, length);
    }

    /** A view of a group that is known to be valid. */
    public static LogGroupView view(ByteBuffer bytes, int start) {
        return new LogGroupView(
                bytes.getLong(start + LSN_AT),
                bytes.getLong(start + EPOCH_AT),
                bytes.getLong(start + TIMESTAMP_AT) & MAX_TIMESTAMP,
                doubtMillis(bytes.getLong(start + TIMESTAMP_AT)),
                bytes.getInt(start + ENTRY_COUNT_AT),
                bytes.slice(start + HEADER_BYTES, bytes.getInt(start + BODY_LENGTH_AT))
                        .asReadOnlyBuffer());
    }
}
