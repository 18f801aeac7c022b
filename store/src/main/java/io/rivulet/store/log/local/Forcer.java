package io.rivulet.store.log.local;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.log.LogCounters;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces what has been written. One force covers every group that was written before it began; groups that are written
 * meanwhile wait for the next force.
 *
 * <p>{@link #work()}: log-force thread; {@link #force()}: that thread or the log-writer, one at a time. {@code
 * forcedLsn} is written under {@code forcing} and is volatile; waiters wait on {@code this}. A failed force is final:
 * {@code forcedLsn} never moves again.
 */
final class Forcer {
    private static final Logger LOG = LoggerFactory.getLogger(Forcer.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PendingWrites writes;
    private final SegmentList segments;
    private final FailureLatch failures;
    private final LogCounters counters;
    private final Runnable wakeUp;
    private final DiskWait diskWait;
    private final Object forcing = new Object();
    private volatile long forcedLsn;

    Forcer(
            PendingWrites writes,
            SegmentList segments,
            FailureLatch failures,
            LogCounters counters,
            Runnable wakeUp,
            long forcedLsn,
            DiskWait diskWait) {
        this.diskWait = diskWait;
        this.writes = writes;
        this.segments = segments;
        this.failures = failures;
        this.counters = counters;
        this.wakeUp = wakeUp;
        this.forcedLsn = forcedLsn;
        failures.onFailure(this::wakeWaiters);
    }

    long forcedLsn() {
        return forcedLsn;
    }

    /** Log-writer thread. */
    boolean isAllForced() {
        return forcedLsn == writes.writtenLsn();
    }

    void work() throws IOException {
        if (force()) {
            wakeUp.run();
        }
    }

    /** True when the watermark has moved. */
    boolean force() throws IOException {
        synchronized (forcing) {
            long target = writes.writtenLsn();
            if (target == forcedLsn || failures.isSet()) {
                return false;
            }
            long startNanos = System.nanoTime();
            forceSegments(forcedLsn, target);
            long nanos = System.nanoTime() - startNanos;
            counters.forced(nanos);
            if (nanos >= SLOW_NANOS) {
                LIMIT.log(more -> LOG.warn(
                        "The disk took {} ms for an fsync of {} bytes{}",
                        TimeUnit.NANOSECONDS.toMillis(nanos),
                        target - forcedLsn,
                        more));
            }
            forcedLsn = target;
        }
        wakeWaiters();
        return true;
    }

    private void forceSegments(long fromLsn, long toLsn) throws IOException {
        List<Segment> row = segments.segments();
        for (Segment segment : row) {
            if (segment.limitLsn() >= fromLsn && segment.baseLsn() < toLsn && segment.retain()) {
                try {
                    segment.file().force();
                } finally {
                    segment.release();
                }
            }
        }
    }

    /**
     * Returns when the log is forced up to this lsn. The caller ensures that {@link #work()} runs.
     *
     * @throws IOException if the log has failed, or closes and the disk does not respond
     */
    void await(long lsn) throws IOException {
        diskWait.until(this, () -> forcedLsn >= lsn || failures.isSet(), this::forcedLsn);
        Throwable cause = failures.cause();
        if (forcedLsn < lsn && cause != null) {
            throw new IOException("The log failed before it was durable up to lsn " + Long.toHexString(lsn), cause);
        }
    }

    private synchronized void wakeWaiters() {
        notifyAll();
    }
}
