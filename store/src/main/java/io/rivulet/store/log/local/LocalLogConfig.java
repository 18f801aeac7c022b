package io.rivulet.store.log.local;

import io.rivulet.store.Durability;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;

/**
 * How a {@link LocalCommitLog} is opened. Immutable. I/O mode and segment size may differ from one opening to the next;
 * existing segments keep their size.
 *
 * @param log what every kind of log is opened with
 * @param segmentBytes size of new files; a multiple of 4096 that holds a header and at least one whole group
 * @param spareSegments how many trimmed segments are kept for reuse
 * @param inPlaceBytes groups of at most this size, if they are alone, are written by {@link CommitLog#append} itself
 *     and forced by {@link CommitLog#forceLeft}; 0 for none
 */
public record LocalLogConfig(LogConfig log, IoMode ioMode, long segmentBytes, int spareSegments, int inPlaceBytes) {
    public static final LocalLogConfig DEFAULT =
            new LocalLogConfig(LogConfig.DEFAULT, IoMode.BUFFERED, 128 << 20, 2, 0);

    public LocalLogConfig {
        int unit = SegmentLayout.HEADER_BYTES;
        require(
                segmentBytes % unit == 0 && segmentBytes >= (long) unit + log.groupBytes(),
                "segmentBytes",
                segmentBytes,
                "a multiple of " + unit + " that holds " + unit + " + groupBytes (" + log.groupBytes() + ")");
        require(spareSegments >= 0, "spareSegments", spareSegments, "0 or more");
    }

    public Durability durability() {
        return log.durability();
    }

    public LocalLogConfig withLog(LogConfig newLog) {
        return new LocalLogConfig(newLog, ioMode, segmentBytes, spareSegments, inPlaceBytes);
    }

    public LocalLogConfig withDurability(Durability newDurability) {
        return withLog(log.withDurability(newDurability));
    }

    public LocalLogConfig withGroups(int newGroupCount, int newGroupBytes) {
        return withLog(log.withGroups(newGroupCount, newGroupBytes));
    }

    public LocalLogConfig withIoMode(IoMode newIoMode) {
        return new LocalLogConfig(log, newIoMode, segmentBytes, spareSegments, inPlaceBytes);
    }

    public LocalLogConfig withSegmentBytes(long newSegmentBytes) {
        return new LocalLogConfig(log, ioMode, newSegmentBytes, spareSegments, inPlaceBytes);
    }

    public LocalLogConfig withSpareSegments(int newSpareSegments) {
        return new LocalLogConfig(log, ioMode, segmentBytes, newSpareSegments, inPlaceBytes);
    }

    public LocalLogConfig withInPlace(int newInPlaceBytes) {
        return new LocalLogConfig(log, ioMode, segmentBytes, spareSegments, newInPlaceBytes);
    }

    private static void require(boolean holds, String key, long value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException(key + " is " + value + "; allowed is " + allowed);
        }
    }
}
