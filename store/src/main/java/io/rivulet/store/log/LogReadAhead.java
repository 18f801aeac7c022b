package io.rivulet.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Brings a log into the page cache, some MiB ahead of a walk through it, so that the disk reads on while what it has brought is
 * applied. Nothing is handed over: what is read here is thrown away, so neither order nor failure of these reads means anything. Where
 * one fails, this ends, and the walk meets the failure itself.
 *
 * <p>Owned by: the thread that walks. What it reads is the worker's alone; in between is {@code walkedLsn}.
 */
final class LogReadAhead implements AutoCloseable {
    /** Also the shortest walk that is worth it. */
    static final long AHEAD_BYTES = 8 << 20;

    private static final int CHUNK_BYTES = 1 << 20;

    private final List<Segment> row;
    private final long untilLsn;
    private final Workers.Worker worker;
    private long signalledLsn;
    private volatile long walkedLsn;
    private volatile boolean closed;

    // ---- the worker's ----

    private final ByteBuffer scratch = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private long aheadLsn;
    private int segmentIndex;

    /** @param row retained by the caller until this is closed, without gaps */
    LogReadAhead(List<Segment> row, long fromLsn, long untilLsn, Workers workers) {
        this.row = row;
        this.untilLsn = untilLsn;
        this.walkedLsn = fromLsn;
        this.signalledLsn = fromLsn;
        this.aheadLsn = fromLsn;
        this.worker = workers.start("log-read-ahead", this::work);
        worker.signal();
    }

    /** The walk has come so far. */
    void walked(long lsn) {
        walkedLsn = lsn;
        if (lsn - signalledLsn >= CHUNK_BYTES) {
            signalledLsn = lsn;
            worker.signal();
        }
    }

    private void work() {
        try {
            while (!closed && aheadLsn < untilLsn && aheadLsn < walkedLsn + AHEAD_BYTES) {
                readChunk();
            }
        } catch (IOException e) {
            aheadLsn = untilLsn;
        }
    }

    private void readChunk() throws IOException {
        Segment segment = row.get(segmentIndex);
        int count = segment.holds(aheadLsn) ? segment.read(aheadLsn, scratch.clear()) : 0;
        if (count > 0) {
            aheadLsn += count;
        } else if (segmentIndex + 1 < row.size()) {
            segmentIndex++;
            aheadLsn = Math.max(aheadLsn, row.get(segmentIndex).firstLsn());
        } else {
            aheadLsn = untilLsn;
        }
    }

    @Override
    public void close() {
        closed = true;
        worker.close();
    }
}
