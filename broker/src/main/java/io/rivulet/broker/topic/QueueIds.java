package io.rivulet.broker.topic;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.Admission;
import io.rivulet.store.Store;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Has the ids of queues last. A store has 2,147,483,646 of them for its whole life and uses none twice, so a client
 * that creates and deletes topics of a million partitions would use all of them up within minutes. A sixteenth of the
 * ids that are left may be taken at once; what is taken comes back at a rate at which those that are left would last
 * for 60 days. As the rate falls with them, they never end.
 *
 * <p>Thread-safe, guarded by its monitor.
 */
final class QueueIds {
    /** The part of what is left that may be taken at once is one divided by this. */
    private static final int PARTS = 16;

    private static final long LASTING_NANOS = TimeUnit.DAYS.toNanos(60);

    private final Admission ids;
    private final LongSupplier nanoTime;
    private double free;
    private long lookedAtNanos;
    private long usedThen;

    /**
     * @param used how many ids were ever used; asked on any thread
     */
    QueueIds(LongSupplier used, LongSupplier nanoTime) {
        this.ids = new Admission(Store.MAX_QUEUE_ID, used);
        this.nanoTime = nanoTime;
        this.lookedAtNanos = nanoTime.getAsLong();
        this.usedThen = ids.there();
        this.free = atOnce();
    }

    /** Until {@link #release}, they count as if they were used. */
    synchronized void reserve(int count) {
        require(count);
        ids.reserve(count);
    }

    void release(int count) {
        ids.release(count);
    }

    /** @throws RefusedException when {@link #reserve} would refuse it now */
    synchronized void require(int count) {
        look();
        if (count > 0 && count > free - ids.underWay()) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    String.format(
                            "%,d more partitions are too many for now: so many were created and deleted that only %,d may be"
                                    + " created at once, and %,d more in an hour. A data directory has room for %,d queues in"
                                    + " its life, and %,d are left",
                            count, Math.max(0, (long) free - ids.underWay()), inAnHour(), ids.limit(), left()));
        }
    }

    /** Takes off what was used since the last look, and adds what has come back. */
    private void look() {
        long used = ids.there();
        long nowNanos = nanoTime.getAsLong();
        double back = (double) left() * (nowNanos - lookedAtNanos) / LASTING_NANOS;
        free = Math.min(atOnce(), free - (used - usedThen) + back);
        usedThen = used;
        lookedAtNanos = nowNanos;
    }

    private long left() {
        return ids.limit() - ids.there();
    }

    private double atOnce() {
        return (double) left() / PARTS;
    }

    private long inAnHour() {
        return left() / TimeUnit.NANOSECONDS.toHours(LASTING_NANOS);
    }
}
