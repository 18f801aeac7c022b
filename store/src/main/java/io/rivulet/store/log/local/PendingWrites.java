package io.rivulet.store.log.local;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.log.LogCounters;
import io.rivulet.store.log.LogGroup;
import java.io.IOException;
import org.jctools.queues.SpscArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Groups that have their place in the log and wait to be written, in order.
 *
 * <p>Threads: {@link #work()} on log-io; {@link #await()} on any; all else on the log-writer. A group stays in the
 * queue until it is written. So a log-writer that finds the queue {@link #isIdle() idle} may write itself, and there
 * are never two writes at a time.
 *
 * <p>If the disk is full, log-io sets {@code refused} to the group, and does not touch queue and files until the
 * log-writer clears it in {@link #withdraw()}. The groups after it are withdrawn with it.
 */
final class PendingWrites {
    /** A group and the segment that has its place. */
    record Write(LogGroup group, Segment segment) {
        void run() throws IOException {
            segment.write(group.lsn(), group.placed());
        }
    }

    private final SpscArrayQueue<Write> queue;
    private final FailureLatch failures;
    private final LogCounters counters;
    private final Runnable written;
    private final Runnable wakeUp;
    private final DiskWait diskWait;
    private volatile long appendedLsn;
    private volatile long writtenLsn;
    private volatile @Nullable Write refused;

    /**
     * @param written called by log-io when the watermark has moved
     * @param wakeUp called by log-io when there are groups to withdraw
     */
    PendingWrites(
            int capacity,
            long endLsn,
            FailureLatch failures,
            LogCounters counters,
            Runnable written,
            Runnable wakeUp,
            DiskWait diskWait) {
        this.diskWait = diskWait;
        this.queue = new SpscArrayQueue<>(capacity);
        this.appendedLsn = endLsn;
        this.writtenLsn = endLsn;
        this.failures = failures;
        this.counters = counters;
        this.written = written;
        this.wakeUp = wakeUp;
        failures.onFailure(this::wakeWaiters);
    }

    /** Where the next group goes. */
    long appendedLsn() {
        return appendedLsn;
    }

    /** Every group before this lsn is written to the operating system. Any thread. */
    long writtenLsn() {
        return writtenLsn;
    }

    boolean isIdle() {
        return writtenLsn == appendedLsn;
    }

    /**
     * Writes the group on this thread; only if {@link #isIdle()}. If the disk is full, the group is unchanged.
     *
     * @param cached through the page cache
     */
    void writeInPlace(LogGroup group, Segment segment, boolean cached) throws IOException {
        try {
            if (cached) {
                segment.writeCached(group.lsn(), group.placed());
            } else {
                segment.write(group.lsn(), group.placed());
            }
        } catch (ShortageException e) {
            group.withdrawn();
            throw e;
        }
        written(group);
        appendedLsn = writtenLsn;
    }

    void add(LogGroup group, Segment segment) {
        appendedLsn = endLsn(group);
        if (!queue.offer(new Write(group, segment))) {
            throw new IllegalStateException("more groups wait to be written than there are");
        }
    }

    void work() throws IOException {
        while (refused == null && !failures.isSet()) {
            Write next = queue.peek();
            if (next == null) {
                return;
            }
            try {
                next.run();
            } catch (ShortageException e) {
                refused = next;
                wakeWaiters();
                wakeUp.run();
                return;
            }
            queue.poll();
            written(next.group);
            wakeWaiters();
            written.run();
        }
    }

    /** As soon as the watermark has moved, the group may be reused. */
    private void written(LogGroup group) {
        counters.written(group.paddedLength());
        writtenLsn = endLsn(group);
    }

    /** Where the next group may start. */
    private static long endLsn(LogGroup group) {
        return group.lsn() + group.paddedLength();
    }

    /** The first group for which the disk was full. */
    @Nullable
    Write refused() {
        return refused;
    }

    /**
     * Removes all groups from the queue and moves the end of the log back to what was written. Only if there is a
     * {@link #refused} group.
     */
    void withdraw() {
        int count = 0;
        for (Write write = queue.poll(); write != null; write = queue.poll()) {
            write.group.withdrawn();
            count++;
        }
        counters.refused(count);
        appendedLsn = writtenLsn;
        refused = null;
        wakeWaiters();
    }

    /**
     * Returns when all that was appended before the call is written or refused. The caller ensures that {@link #work()}
     * runs.
     *
     * @throws IOException if the log has failed, or closes and the disk does not respond
     */
    void await() throws IOException {
        long targetLsn = appendedLsn;
        diskWait.until(
                this,
                () -> writtenLsn >= Math.min(targetLsn, appendedLsn) || refused != null || failures.isSet(),
                this::writtenLsn);
        Throwable cause = failures.cause();
        if (writtenLsn < targetLsn && cause != null) {
            throw new IOException(
                    "The log failed before it had written all up to lsn " + Long.toHexString(targetLsn), cause);
        }
    }

    private synchronized void wakeWaiters() {
        notifyAll();
    }
}
