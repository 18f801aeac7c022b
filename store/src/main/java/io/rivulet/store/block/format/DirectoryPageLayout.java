package io.rivulet.store.block.format;

import java.nio.ByteBuffer;

/**
 * Layout of a directory page. All numbers are big-endian; the checksum is CRC32C.
 *
 * <pre>
 * 0   crc 4 of all after it | entryCount 4 | fileNumber 8 | pageIndex 4
 * 20  width of each of six fields 1, in bits | zero 2
 * 28  the least value of each of six fields 8
 * 76  entries, without gaps between bits: each field is stored as its difference to the least value,
 *     in as many bits as the largest difference needs
 *     zeroes to 4096, at least 8
 *
 * fields: queueId | baseOffset | place | streamBytes | offsetCount | maxTimestampDelta
 * </pre>
 *
 * {@code place} counts units of 8 bytes from the start of the file. Neighbours are alike, so a block of one small
 * record needs 5 to 6 bytes here. With fixed fields it would need 32.
 *
 * <p>Crash policy: checksummed.
 */
final class DirectoryPageLayout {
    static final int CRC_AT = 0;
    static final int ENTRY_COUNT_AT = 4;
    static final int FILE_NUMBER_AT = 8;
    static final int PAGE_INDEX_AT = 16;
    static final int WIDTHS_AT = 20;
    static final int LEAST_AT = 28;

    static final int QUEUE_ID = 0;
    static final int BASE_OFFSET = 1;
    static final int PLACE = 2;
    static final int STREAM_BYTES = 3;
    static final int OFFSET_COUNT = 4;
    static final int MAX_TIMESTAMP = 5;
    static final int FIELDS = 6;

    static final int ENTRIES_AT = LEAST_AT + FIELDS * Long.BYTES;
    /** Each field is read as part of eight bytes, so eight bytes after the last field stay free. */
    static final int ENTRY_BITS = (BlockFileLayout.PAGE_BYTES - ENTRIES_AT - Long.BYTES) * Byte.SIZE;

    static final int MAX_ENTRIES = 1024;

    /** The widest field that one access reads, at any first bit; a multiple of the bits of a byte. */
    private static final int MAX_ACCESS_BITS = 56;

    private static final long MAX_ACCESS_MASK = (1L << MAX_ACCESS_BITS) - 1;

    private DirectoryPageLayout() {}

    static int leastAt(int field) {
        return LEAST_AT + field * Long.BYTES;
    }

    /** The value of {@code width} bits, 0 to 64, beginning with this bit of the entries. */
    static long bits(ByteBuffer page, int fromBit, int width) {
        if (width > MAX_ACCESS_BITS) {
            int rest = width - MAX_ACCESS_BITS;
            return (bits(page, fromBit, rest) << MAX_ACCESS_BITS) | bits(page, fromBit + rest, MAX_ACCESS_BITS);
        }
        long fromTheTop = page.getLong(ENTRIES_AT + (fromBit >>> 3)) << (fromBit & 7);
        return fromTheTop >>> 1 >>> (Long.SIZE - 1 - width); // two shifts, because one can't shift by 64
    }

    /** Writes the low {@code width} bits of the value. Its other bits and the target must be zero. */
    static void putBits(ByteBuffer page, int fromBit, int width, long value) {
        if (width > MAX_ACCESS_BITS) {
            int rest = width - MAX_ACCESS_BITS;
            putBits(page, fromBit, rest, value >>> MAX_ACCESS_BITS);
            putBits(page, fromBit + rest, MAX_ACCESS_BITS, value & MAX_ACCESS_MASK);
            return;
        }
        int at = ENTRIES_AT + (fromBit >>> 3);
        long fromTheTop = value << 1 << (Long.SIZE - 1 - width);
        page.putLong(at, page.getLong(at) | (fromTheTop >>> (fromBit & 7)));
    }

    static long field(BlockEntry entry, int field) {
        return switch (field) {
            case QUEUE_ID -> entry.queueId();
            case BASE_OFFSET -> entry.baseOffset();
            case PLACE -> entry.startAddress() / BlockFileLayout.PLACE_UNIT_BYTES;
            case STREAM_BYTES -> entry.streamBytes();
            case OFFSET_COUNT -> entry.offsetCount();
            default -> entry.maxTimestampDelta();
        };
    }
}
