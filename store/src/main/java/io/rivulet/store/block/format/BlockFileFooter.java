package io.rivulet.store.block.format;

import java.nio.ByteBuffer;

/**
 * The end of a block file: 192 bytes, the last of them a checksum. It begins with {@link #FOOTER_MAGIC} and the
 * version. The fields of this record follow in their order, eight bytes each.
 *
 * <pre>
 * | magic 8 | version 8 | 21 fields of 8 | zero 4 | crc 4 of all before it |
 * </pre>
 *
 * <p>Crash policy: it is the last write before the fsync and the rename. So a file that has its final name but no valid
 * footer is damaged, never unfinished.
 *
 * <p>Immutable.
 *
 * @param level 1 for files of the sweep, one more for each merge
 * @param firstCycle the first sweep cycle whose data the file has
 * @param lastCycle the last one
 * @param coverFrom the first queue id of the range that this file covers: for this range it replaces files of lower
 *     levels whose cycles are within its own
 * @param coverTo the last queue id of that range
 * @param minTimestampDelta the lowest of the blocks' highest timestamps
 * @param lowestLsn of all references to the log; {@link #NO_REFERENCE} if there are none
 * @param referencedBytes length of all payloads in the log that the file refers to
 * @param offsetCount how many offsets all blocks cover
 * @param blocksEnd where the last block ends, at a multiple of 8; from there to the directory there are zeroes
 * @param totalBytes length of the file, footer included
 */
public record BlockFileFooter(
        long storeId,
        long fileNumber,
        int level,
        long firstCycle,
        long lastCycle,
        int coverFrom,
        int coverTo,
        int minQueueId,
        int maxQueueId,
        int queueCount,
        long blockCount,
        long offsetCount,
        long blocksEnd,
        long minTimestampDelta,
        long maxTimestampDelta,
        long lowestLsn,
        int directoryPages,
        int filterBytes,
        long checksums,
        long totalBytes,
        long referencedBytes) {

    /** The lowest lsn of a file that has no references. */
    public static final long NO_REFERENCE = Long.MAX_VALUE;

    public static final int BYTES = 192;
    private static final long FOOTER_MAGIC = 0x5256_4C46_4F4F_5431L; // RVLFOOT1
    private static final int CRC_AT = BYTES - 4;

    /** Both checksums in one field. */
    public static long checksums(int filterCrc, int fenceCrc) {
        return (long) filterCrc << 32 | Integer.toUnsignedLong(fenceCrc);
    }

    public int filterCrc() {
        return (int) (checksums >>> 32);
    }

    public int fenceCrc() {
        return (int) checksums;
    }

    public int fenceBytes() {
        return directoryPages * BlockFileLayout.FENCE_ENTRY_BYTES;
    }

    public long fenceStart() {
        return totalBytes - BYTES - fenceBytes();
    }

    public long filterStart() {
        return fenceStart() - filterBytes;
    }

    /** Length of directory, filter, fence and footer. */
    public long directoryBytes() {
        return totalBytes - directoryStart();
    }

    /** Where the directory begins, after the blocks and their padding. */
    public long directoryStart() {
        return filterStart() - (long) directoryPages * BlockFileLayout.PAGE_BYTES;
    }

    /** Whether compaction wrote the file. */
    public boolean isCompacted() {
        return level >= BlockFileOrigin.COMPACTED_LEVEL;
    }

    public BlockFileId id() {
        return new BlockFileId(storeId, fileNumber);
    }

    /** Writes the footer at the buffer's position. */
    public void put(ByteBuffer target) {
        int at = target.position();
        target.putLong(FOOTER_MAGIC).putLong(BlockFileLayout.VERSION);
        target.putLong(storeId)
                .putLong(fileNumber)
                .putLong(level)
                .putLong(firstCycle)
                .putLong(lastCycle);
        target.putLong(coverFrom)
                .putLong(coverTo)
                .putLong(minQueueId)
                .putLong(maxQueueId)
                .putLong(queueCount);
        target.putLong(blockCount).putLong(offsetCount).putLong(blocksEnd);
        target.putLong(minTimestampDelta).putLong(maxTimestampDelta).putLong(lowestLsn);
        target.putLong(directoryPages).putLong(filterBytes).putLong(checksums).putLong(totalBytes);
        target.putLong(referencedBytes);
        while (target.position() < at + CRC_AT) {
            target.put((byte) 0);
        }
        target.putInt(BlockFileLayout.crc(target, at, at + CRC_AT));
    }

    /** The fault of the footer in {@code [0, BYTES)} of the buffer; an empty string if there is none. */
    public static String faultIn(ByteBuffer footer) {
        if (footer.getInt(CRC_AT) != BlockFileLayout.crc(footer, 0, CRC_AT)) {
            return "checksum of the footer";
        }
        if (footer.getLong(0) != FOOTER_MAGIC) {
            return "magic of the footer";
        }
        if (footer.getLong(8) != BlockFileLayout.VERSION) {
            return "version " + footer.getLong(8) + " is not " + BlockFileLayout.VERSION;
        }
        return "";
    }

    /** Reads a footer that has no fault. */
    public static BlockFileFooter read(ByteBuffer footer) {
        ByteBuffer in = footer.duplicate().position(16);
        return new BlockFileFooter(
                in.getLong(),
                in.getLong(),
                (int) in.getLong(),
                in.getLong(),
                in.getLong(),
                (int) in.getLong(),
                (int) in.getLong(),
                (int) in.getLong(),
                (int) in.getLong(),
                (int) in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                (int) in.getLong(),
                (int) in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong());
    }
}
