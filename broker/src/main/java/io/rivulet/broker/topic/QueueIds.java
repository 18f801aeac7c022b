package io.rivulet.broker.topic;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.Admission;
import io.rivulet.broker.limit.LimitLog;
import io.rivulet.store.Store;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits how fast the ids of queues are used up. A store has 2,147,483,646 ids and uses none twice, so a client that
 * creates and deletes topics of a million partitions would use all of them within minutes. A sixteenth of the remaining
 * ids may be used at once. This budget refills at a rate at which the remaining ids would last for 60 days. The rate
 * falls with the remaining ids, so they never run out.
 *
 * <p>Thread-safe, guarded by its monitor.
 */
final class QueueIds {
    /** One divided by this is the part of the remaining ids that may be used at once. */
    private static final int PARTS = 16;

    private static final long LASTING_NANOS = TimeUnit.DAYS.toNanos(60);

    private final Admission ids;
    private final LongSupplier nanoTime;
    private double budget;
    private long refilledNanos;
    private long usedAtRefill;

    /**
     * @param used the number of ids that were ever used; called on any thread
     */
    QueueIds(LongSupplier used, LongSupplier nanoTime) {
        this.ids = new Admission(Store.MAX_QUEUE_ID, used);
        this.nanoTime = nanoTime;
        this.refilledNanos = nanoTime.getAsLong();
        this.usedAtRefill = ids.current();
        this.budget = atOnce();
    }

    /** The ids count as used until {@link #release}. */
    synchronized void reserve(int count) {
        require(count);
        ids.reserve(count);
    }

    void release(int count) {
        ids.release(count);
    }

    /** @throws RefusedException if {@link #reserve} would fail now */
    synchronized void require(int count) {
        refill();
        if (count > 0 && count > budget - ids.reserved()) {
            LimitLog.refused("the number of ids of queues", count + " more partitions");
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    String.format(
                            "%,d more partitions are too many now. Many were created and deleted, so only %,d may be"
                                    + " created at once, and %,d more in an hour. A data directory can hold %,d queues"
                                    + " in its life; %,d are left",
                            count, Math.max(0, (long) budget - ids.reserved()), inAnHour(), ids.limit(), left()));
        }
    }

    /** Subtracts the ids that were used since the last refill, and adds the refill. */
    private void refill() {
        long used = ids.current();
        long nowNanos = nanoTime.getAsLong();
        double refill = (double) left() * (nowNanos - refilledNanos) / LASTING_NANOS;
        budget = Math.min(atOnce(), budget - (used - usedAtRefill) + refill);
        usedAtRefill = used;
        refilledNanos = nowNanos;
    }

    private long left() {
        return ids.limit() - ids.current();
    }

    private double atOnce() {
        return (double) left() / PARTS;
    }

    private long inAnHour() {
        return left() / TimeUnit.NANOSECONDS.toHours(LASTING_NANOS);
    }
}
