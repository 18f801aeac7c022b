package io.rivulet.store.log;

import io.rivulet.store.thread.Workers;
import io.rivulet.store.thread.Workers.Worker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads what a replay will come to, on a thread of its own, so that the kernel has it by then: the pages of its cache are fresh ones too,
 * and cost as much as a fifth of the replay. What was read is thrown away; the replay reads for itself, and depends on nothing here. So a read that
 * fails only ends this: the replay will come to that place.
 *
 * <p>Owned by: the thread that replays.
 */
final class ReplayAhead implements AutoCloseable {
    private static final int AHEAD_BYTES = 32 << 20;
    private static final int READ_BYTES = 1 << 20;

    private final List<Segment> row;
    private final long untilLsn;
    private final Worker worker;
    /** The worker's own. */
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES);

    private volatile long reachedLsn;
    /** The worker writes it: behind what it has read. */
    private volatile long readLsn;

    /** @param row retained by the caller until this is closed, without gaps */
    ReplayAhead(List<Segment> row, long fromLsn, long untilLsn, Workers workers) {
        this.row = row;
        this.untilLsn = untilLsn;
        this.readLsn = fromLsn;
        this.worker = workers.start("replay-ahead", this::read);
        reached(fromLsn);
    }

    /** Whether so much is to be replayed that it is worth a thread. */
    static boolean isWorthwhile(long logBytes) {
        return logBytes > AHEAD_BYTES;
    }

    /** The replay has come to this place. */
    void reached(long lsn) {
        reachedLsn = lsn;
        if (readLsn < untilLsn && readLsn < lsn + AHEAD_BYTES / 2) {
            worker.signal();
        }
    }

    private void read() {
        try {
            long lsn = Math.max(readLsn, reachedLsn);
            while (lsn < untilLsn && lsn < reachedLsn + AHEAD_BYTES) {
                Segment segment = holding(lsn);
                segment.read(lsn, scratch.clear());
                lsn = Math.min(lsn + READ_BYTES, segment.limitLsn());
                readLsn = lsn;
            }
        } catch (IOException e) {
            readLsn = untilLsn;
        }
    }

    private Segment holding(long lsn) {
        for (Segment segment : row) {
            if (segment.holds(lsn)) {
                return segment;
            }
        }
        throw new IllegalArgumentException("no segment holds lsn " + Long.toHexString(lsn));
    }

    @Override
    public void close() {
        reachedLsn = Long.MIN_VALUE;
        worker.close();
    }
}
