package io.rivulet.store.log.local;

import io.rivulet.store.log.CommitLog;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.util.List;

/**
 * Reads all groups from an lsn on, in order, and verifies each. A long replay reads ahead on a thread of its own.
 *
 * <p>Immutable. Any thread; waits for the disk.
 */
final class LogReplay {
    private final SegmentList segments;
    private final Workers workers;
    private final long storeId;
    private final long maxEpoch;
    private final long cachedFromLsn;

    /** @param cachedFromLsn from here on the log has been read a moment ago */
    LogReplay(SegmentList segments, Workers workers, long storeId, long maxEpoch, long cachedFromLsn) {
        this.segments = segments;
        this.workers = workers;
        this.storeId = storeId;
        this.maxEpoch = maxEpoch;
        this.cachedFromLsn = cachedFromLsn;
    }

    void replay(long fromLsn, long untilLsn, CommitLog.GroupVisitor visitor) throws IOException {
        List<Segment> row = segments.retainFrom(fromLsn);
        try {
            if (ReplayAhead.isWorthwhile(untilLsn - fromLsn)) {
                try (ReplayAhead ahead = new ReplayAhead(row, fromLsn, untilLsn, cachedFromLsn, workers)) {
                    replay(row, ahead, fromLsn, untilLsn, visitor);
                }
            } else {
                replay(row, Segment::read, fromLsn, untilLsn, visitor);
            }
        } finally {
            row.forEach(Segment::release);
        }
    }

    private void replay(
            List<Segment> row, LogGroupWalker.Reads reads, long fromLsn, long untilLsn, CommitLog.GroupVisitor visitor)
            throws IOException {
        LogGroupWalker walker = new LogGroupWalker(row, reads, storeId, maxEpoch);
        walker.seek(fromLsn);
        while (walker.endLsn() < untilLsn) {
            if (!walker.next()) {
                throw walker.segment().damaged(walker.endLsn(), walker.problem());
            }
            visitor.visit(walker.view());
        }
    }
}
