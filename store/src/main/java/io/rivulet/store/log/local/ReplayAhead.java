package io.rivulet.store.log.local;

import io.rivulet.store.thread.Workers;
import io.rivulet.store.thread.Workers.Worker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads ahead of a replay on a separate thread, so that the kernel has the bytes in its page cache in time: allocating
 * its pages takes up to a fifth of the replay. The bytes that are read here are discarded; the replay reads them
 * itself. So a failed read only ends this thread.
 *
 * <p>Owned by: the thread that replays.
 */
final class ReplayAhead implements AutoCloseable {
    private static final int AHEAD_BYTES = 32 << 20;
    private static final int READ_BYTES = 1 << 20;

    private final List<Segment> row;
    private final long untilLsn;
    private final Worker worker;
    /** Used by the worker only. */
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES);

    private volatile long reachedLsn;
    /** Written by the worker: the end of what it has read. */
    private volatile long readLsn;

    /** @param row without gaps; the caller retains it until this is closed */
    ReplayAhead(List<Segment> row, long fromLsn, long untilLsn, Workers workers) {
        this.row = row;
        this.untilLsn = untilLsn;
        this.readLsn = fromLsn;
        this.worker = workers.start("replay-ahead", this::read);
        reached(fromLsn);
    }

    /** Whether the replay is long enough for a separate thread. */
    static boolean isWorthwhile(long logBytes) {
        return logBytes > AHEAD_BYTES;
    }

    /** The replay has reached this place. */
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
                Segment segment = row.get(Segment.indexOf(row, lsn));
                segment.read(lsn, scratch.clear());
                lsn = Math.min(lsn + READ_BYTES, segment.limitLsn());
                readLsn = lsn;
            }
        } catch (IOException e) {
            readLsn = untilLsn;
        }
    }

    @Override
    public void close() {
        reachedLsn = Long.MIN_VALUE;
        worker.close();
    }
}
