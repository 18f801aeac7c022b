package io.rivulet.store.block.format;

import io.rivulet.store.stream.StreamRecord;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Layout of a block file, version 2. All numbers are big-endian; all checksums are CRC32C. An address is the place of a
 * byte in the file.
 *
 * <pre>
 * file            0 | header (64) | blocks, each at a multiple of 8 | zeroes to a multiple of 4096
 *    directoryStart | directory pages of 4096
 *       filterStart | queue filter | fence | footer (192), which ends the file
 *
 * header            | magic 8 | version 4 | level 4 | storeId 8 | fileNumber 8
 *                   | firstCycle 8 | lastCycle 8 | coverFrom 4 | zero 8 | crc 4 of all before it |
 *
 * block             | crc 4 of all after it | queueId 4 | baseOffset 8 | offsetCount 4 | streamBytes 4 | stream |
 *
 * directory page    | see DirectoryPageLayout
 * filter            | see QueueFilter
 * fence             | of the first entry of each directory page: queueId 4 | baseOffset 8 |
 * footer            | see BlockFileFooter
 * </pre>
 *
 * A timestamp delta is relative to the store's {@code timestampBase}, as in a stream record. A block covers the offsets
 * {@code [baseOffset, baseOffset + offsetCount)}.
 *
 * <p>Crash policy: checksummed. All bytes except the zeroes between blocks are under a checksum; the zeroes are never
 * read.
 */
public final class BlockFileLayout {
    static final int VERSION = 2;

    static final long HEADER_MAGIC = 0x5256_4C42_4C4F_434BL; // RVLBLOCK
    public static final int HEADER_BYTES = 64;
    static final int HEADER_MAGIC_AT = 0;
    static final int HEADER_VERSION_AT = 8;
    static final int HEADER_LEVEL_AT = 12;
    static final int HEADER_STORE_ID_AT = 16;
    static final int HEADER_FILE_NUMBER_AT = 24;
    static final int HEADER_FIRST_CYCLE_AT = 32;
    static final int HEADER_LAST_CYCLE_AT = 40;
    static final int HEADER_COVER_FROM_AT = 48;
    static final int HEADER_CRC_AT = 60;

    public static final int BLOCK_HEADER_BYTES = 24;
    public static final int BLOCK_CRC_AT = 0;
    public static final int BLOCK_QUEUE_ID_AT = 4;
    static final int BLOCK_BASE_OFFSET_AT = 8;
    static final int BLOCK_OFFSET_COUNT_AT = 16;
    static final int BLOCK_STREAM_BYTES_AT = 20;

    public static final int PLACE_UNIT_BYTES = 8;
    public static final long MAX_FILE_BYTES = PLACE_UNIT_BYTES * (1L << 32);

    /** The longest stream of a block: one record with the largest payload always fits. */
    public static final int MAX_BLOCK_STREAM_BYTES = StreamRecord.MAX_PAYLOAD_BYTES + StreamRecord.MAX_HEADER_BYTES;

    public static final int PAGE_BYTES = 4096;

    public static final int FENCE_ENTRY_BYTES = 12;

    private BlockFileLayout() {}

    /** The smallest multiple of {@code unit}, a power of two, that is at least {@code bytes}. */
    public static long roundUp(long bytes, int unit) {
        return (bytes + unit - 1) & -unit;
    }

    /** Whether (queueId, offset) {@code a} comes after {@code b} in the order of a file. */
    public static boolean isAfter(int queueIdA, long offsetA, int queueIdB, long offsetB) {
        return queueIdA > queueIdB || (queueIdA == queueIdB && offsetA > offsetB);
    }

    /** CRC32C of a range. Position and limit are the same after it. It makes no view, because each read needs it. */
    public static int crc(ByteBuffer buffer, int from, int to) {
        int position = buffer.position();
        int limit = buffer.limit();
        Objects.checkFromToIndex(from, to, limit);
        CRC32C crc = new CRC32C();
        crc.update(buffer.position(from).limit(to));
        buffer.limit(limit).position(position);
        return (int) crc.getValue();
    }

    /** Writes the 64 bytes of the file's header at the buffer's position. */
    public static void putHeader(ByteBuffer target, BlockFileOrigin origin) {
        int at = target.position();
        target.putLong(HEADER_MAGIC).putInt(VERSION).putInt(origin.level());
        target.putLong(origin.id().storeId()).putLong(origin.id().fileNumber());
        target.putLong(origin.firstCycle()).putLong(origin.lastCycle()).putInt(origin.coverFrom());
        while (target.position() < at + HEADER_CRC_AT) {
            target.put((byte) 0);
        }
        target.putInt(crc(target, at, at + HEADER_CRC_AT));
    }

    /** Whether the checksum of the header at the start of the buffer does not match. */
    public static boolean isAltered(ByteBuffer header) {
        return header.getInt(HEADER_CRC_AT) != crc(header, 0, HEADER_CRC_AT);
    }

    /** The fault of the header at the start of the buffer; an empty string if there is none. */
    public static String faultInHeader(ByteBuffer header, BlockFileId id, int level) {
        if (isAltered(header)) {
            return "checksum of the header";
        }
        if (header.getLong(HEADER_MAGIC_AT) != HEADER_MAGIC) {
            return "magic of the header";
        }
        if (header.getInt(HEADER_VERSION_AT) != VERSION) {
            return "version " + header.getInt(HEADER_VERSION_AT) + " is not " + VERSION;
        }
        if (header.getLong(HEADER_STORE_ID_AT) != id.storeId()
                || header.getLong(HEADER_FILE_NUMBER_AT) != id.fileNumber()
                || header.getInt(HEADER_LEVEL_AT) != level) {
            return "header of another file";
        }
        return "";
    }

    /**
     * The origin of the file in the header at the start of the buffer. Null if the header has a fault, or if an earlier
     * version wrote it, which has the origin in the footer only.
     */
    public static @Nullable BlockFileOrigin origin(ByteBuffer header, BlockFileId id) {
        int level = header.getInt(HEADER_LEVEL_AT);
        long firstCycle = header.getLong(HEADER_FIRST_CYCLE_AT);
        long lastCycle = header.getLong(HEADER_LAST_CYCLE_AT);
        return lastCycle == 0 || !faultInHeader(header, id, level).isEmpty()
                ? null
                : new BlockFileOrigin(id, level, firstCycle, lastCycle, header.getInt(HEADER_COVER_FROM_AT));
    }

    /** Writes the header and checksum of a block whose stream follows in {@code target}. */
    public static void putBlockHeader(ByteBuffer target, int at, BlockEntry entry) {
        putBlockFields(target, at, entry);
        int end = at + BLOCK_HEADER_BYTES + entry.streamBytes();
        target.putInt(at + BLOCK_CRC_AT, crc(target, at + BLOCK_QUEUE_ID_AT, end));
    }

    /** Writes the header and checksum of a block whose stream is in another buffer. */
    public static void putBlockHeader(ByteBuffer target, int at, BlockEntry entry, ByteBuffer stream) {
        putBlockFields(target, at, entry);
        CRC32C crc = new CRC32C();
        crc.update(target.slice(at + BLOCK_QUEUE_ID_AT, BLOCK_HEADER_BYTES - BLOCK_QUEUE_ID_AT));
        crc.update(stream.duplicate());
        target.putInt(at + BLOCK_CRC_AT, (int) crc.getValue());
    }

    /** The length of the stream of the block at this index; 0 if it is impossible. */
    public static int streamBytes(ByteBuffer source, int at) {
        int bytes = source.getInt(at + BLOCK_STREAM_BYTES_AT);
        return bytes < 0 || bytes > MAX_BLOCK_STREAM_BYTES ? 0 : bytes;
    }

    /** Whether the block that fills the buffer has the checksum of its header. */
    public static boolean isBlockIntact(ByteBuffer block) {
        return block.getInt(BLOCK_CRC_AT) == crc(block, BLOCK_QUEUE_ID_AT, block.limit());
    }

    /** Whether the header of the block is there. */
    public static boolean isHeaderOf(BlockEntry block, ByteBuffer source, int at) {
        return source.getInt(at + BLOCK_QUEUE_ID_AT) == block.queueId()
                && source.getLong(at + BLOCK_BASE_OFFSET_AT) == block.baseOffset()
                && source.getInt(at + BLOCK_OFFSET_COUNT_AT) == block.offsetCount()
                && source.getInt(at + BLOCK_STREAM_BYTES_AT) == block.streamBytes();
    }

    /** The entry for the block at the start of the buffer. A header has no timestamp, so it is 0. */
    public static BlockEntry blockEntry(ByteBuffer block, long startAddress) {
        return new BlockEntry(
                block.getInt(BLOCK_QUEUE_ID_AT),
                startAddress,
                block.getLong(BLOCK_BASE_OFFSET_AT),
                block.getInt(BLOCK_OFFSET_COUNT_AT),
                block.getInt(BLOCK_STREAM_BYTES_AT),
                0);
    }

    private static void putBlockFields(ByteBuffer target, int at, BlockEntry entry) {
        target.putInt(at + BLOCK_QUEUE_ID_AT, entry.queueId());
        target.putLong(at + BLOCK_BASE_OFFSET_AT, entry.baseOffset());
        target.putInt(at + BLOCK_OFFSET_COUNT_AT, entry.offsetCount());
        target.putInt(at + BLOCK_STREAM_BYTES_AT, entry.streamBytes());
    }
}
