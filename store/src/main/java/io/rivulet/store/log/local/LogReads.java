package io.rivulet.store.log.local;

import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.LogGroupPool;
import io.rivulet.store.log.LogRanges;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads parts of group bodies: from a group that still has them in memory, or from the segment's file.
 *
 * <p>Any thread. May wait for the disk.
 */
final class LogReads {
    /** Reading this many unneeded bytes takes no longer than another I/O. */
    private static final int READ_OVER_BYTES = 64 << 10;

    private final SegmentList segments;
    private final LogGroupPool groups;
    private final PendingWrites writes;

    LogReads(SegmentList segments, LogGroupPool groups, PendingWrites writes) {
        this.segments = segments;
        this.groups = groups;
        this.writes = writes;
    }

    void read(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) throws IOException {
        long startLsn = lsn + LogGroupLayout.HEADER_BYTES + bodyIndex;
        requireWritten(lsn, bodyIndex, lengthBytes);
        if (isRecent(lsn, bodyIndex, lengthBytes, target)) {
            return;
        }
        Segment segment = segments.retain(lsn);
        int limit = target.limit();
        try {
            readFully(segment, startLsn, target.limit(target.position() + lengthBytes));
        } finally {
            target.limit(limit);
            segment.release();
        }
    }

    private void requireWritten(long lsn, int bodyIndex, int lengthBytes) {
        long startLsn = lsn + LogGroupLayout.HEADER_BYTES + bodyIndex;
        if (bodyIndex < 0 || lengthBytes < 0 || startLsn + lengthBytes > writes.writtenLsn()) {
            throw new IllegalArgumentException(
                    "no bytes " + bodyIndex + " + " + lengthBytes + " in the group at lsn " + Long.toHexString(lsn));
        }
    }

    private boolean isRecent(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) {
        return lsn >= segments.segments().get(0).firstLsn() && groups.readRecent(lsn, bodyIndex, lengthBytes, target);
    }

    private static void readFully(Segment segment, long startLsn, ByteBuffer target) throws IOException {
        int from = target.position();
        segment.read(startLsn, target);
        if (target.hasRemaining()) {
            throw segment.damaged(startLsn + target.position() - from, "the file is shorter than it was");
        }
    }

    int read(LogRanges ranges, ByteBuffer target) throws IOException {
        for (int i = 0; i < ranges.count(); i++) {
            requireWritten(ranges.lsn(i), ranges.bodyIndex(i), ranges.lengthBytes(i));
        }
        target.clear();
        int recent = readRecent(ranges, target);
        return recent > 0 ? recent : readTogether(ranges, target);
    }

    private int readRecent(LogRanges ranges, ByteBuffer target) {
        int count = 0;
        while (count < ranges.count()
                && ranges.lengthBytes(count) <= target.remaining()
                && isRecent(count, ranges, target)) {
            count++;
        }
        return count;
    }

    private boolean isRecent(int range, LogRanges ranges, ByteBuffer target) {
        ranges.put(range, target.position());
        return isRecent(ranges.lsn(range), ranges.bodyIndex(range), ranges.lengthBytes(range), target);
    }

    /** If the read fails, a bad sector in another range may be the cause: then reads the first range alone. */
    private int readTogether(LogRanges ranges, ByteBuffer target) throws IOException {
        Segment segment = segments.retain(ranges.lsn(0));
        try {
            int count = countTogether(ranges, segment, target.capacity());
            try {
                readTogether(ranges, count, segment, target);
                return count;
            } catch (IOException e) {
                if (count == 1) {
                    throw e;
                }
                readTogether(ranges, 1, segment, target);
                return 1;
            }
        } finally {
            segment.release();
        }
    }

    /** The log address of the first byte of a range. */
    private static long startLsn(LogRanges ranges, int range) {
        return ranges.lsn(range) + LogGroupLayout.HEADER_BYTES + ranges.bodyIndex(range);
    }

    private static long endLsn(LogRanges ranges, int range) {
        return startLsn(ranges, range) + ranges.lengthBytes(range);
    }

    private static int countTogether(LogRanges ranges, Segment segment, int roomBytes) {
        long startLsn = startLsn(ranges, 0);
        int count = 1;
        while (count < ranges.count()
                && segment.holds(ranges.lsn(count))
                && startLsn(ranges, count) >= endLsn(ranges, count - 1)
                && startLsn(ranges, count) - endLsn(ranges, count - 1) <= READ_OVER_BYTES
                && endLsn(ranges, count) - startLsn <= roomBytes) {
            count++;
        }
        return count;
    }

    private static void readTogether(LogRanges ranges, int count, Segment segment, ByteBuffer target)
            throws IOException {
        long startLsn = startLsn(ranges, 0);
        target.clear().limit((int) (endLsn(ranges, count - 1) - startLsn));
        readFully(segment, startLsn, target);
        for (int i = 0; i < count; i++) {
            ranges.put(i, (int) (startLsn(ranges, i) - startLsn));
        }
    }
}
