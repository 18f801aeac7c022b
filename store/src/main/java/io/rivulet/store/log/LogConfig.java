package io.rivulet.store.log;

import io.rivulet.store.Durability;
import io.rivulet.store.io.Disk.IoMode;

/**
 * How a {@link LocalCommitLog} is opened. Immutable. Durability, I/O mode and segment size may differ from one opening
 * to the next; existing segments keep their size.
 *
 * @param segmentBytes size of new files; a multiple of 4096 that holds a header and at least one whole group
 * @param groupBytes capacity of a group, header included; a multiple of 4096, at most {@link
 *     LogGroupLayout#MAX_GROUP_BYTES}
 * @param groupCount number of groups; memory is at most {@code groupCount * groupBytes}, allocated on first use
 * @param spareSegments how many trimmed segments are kept for reuse
 * @param inPlaceBytes groups of at most this size, if they are alone, are written by {@link CommitLog#append} itself
 *     and forced by {@link CommitLog#forceLeft}; 0 for none
 */
public record LogConfig(
        Durability durability,
        IoMode ioMode,
        long segmentBytes,
        int groupBytes,
        int groupCount,
        int spareSegments,
        int inPlaceBytes) {
    public static final LogConfig DEFAULT =
            new LogConfig(Durability.FSYNC, IoMode.BUFFERED, 128 << 20, LogGroupLayout.MAX_GROUP_BYTES, 4, 2, 0);

    public LogConfig {
        int unit = SegmentLayout.HEADER_BYTES;
        require(
                groupBytes % unit == 0 && groupBytes >= unit && groupBytes <= LogGroupLayout.MAX_GROUP_BYTES,
                "groupBytes",
                groupBytes,
                "a multiple of " + unit + " up to " + LogGroupLayout.MAX_GROUP_BYTES);
        require(
                segmentBytes % unit == 0 && segmentBytes >= (long) unit + groupBytes,
                "segmentBytes",
                segmentBytes,
                "a multiple of " + unit + " that holds " + unit + " + groupBytes (" + groupBytes + ")");
        require(groupCount >= 1, "groupCount", groupCount, "1 or more");
        require(spareSegments >= 0, "spareSegments", spareSegments, "0 or more");
    }

    /** The most bytes in the body of a group. */
    public int maxBodyBytes() {
        return groupBytes - LogGroupLayout.HEADER_BYTES;
    }

    public LogConfig withDurability(Durability newDurability) {
        return new LogConfig(newDurability, ioMode, segmentBytes, groupBytes, groupCount, spareSegments, inPlaceBytes);
    }

    public LogConfig withIoMode(IoMode newIoMode) {
        return new LogConfig(durability, newIoMode, segmentBytes, groupBytes, groupCount, spareSegments, inPlaceBytes);
    }

    public LogConfig withSegmentBytes(long newSegmentBytes) {
        return new LogConfig(durability, ioMode, newSegmentBytes, groupBytes, groupCount, spareSegments, inPlaceBytes);
    }

    public LogConfig withGroups(int newGroupCount, int newGroupBytes) {
        return new LogConfig(
                durability, ioMode, segmentBytes, newGroupBytes, newGroupCount, spareSegments, inPlaceBytes);
    }

    public LogConfig withSpareSegments(int newSpareSegments) {
        return new LogConfig(durability, ioMode, segmentBytes, groupBytes, groupCount, newSpareSegments, inPlaceBytes);
    }

    public LogConfig withInPlace(int newInPlaceBytes) {
        return new LogConfig(durability, ioMode, segmentBytes, groupBytes, groupCount, spareSegments, newInPlaceBytes);
    }

    private static void require(boolean holds, String key, long value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException(key + " is " + value + "; allowed is " + allowed);
        }
    }
}
