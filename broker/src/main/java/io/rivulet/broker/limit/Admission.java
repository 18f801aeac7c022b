package io.rivulet.broker.limit;

import java.util.function.LongSupplier;

/**
 * A limit that counts what is there together with what is on its way. Who wants more reserves it first. A reservation ends when what it
 * was made for is there, and so counted as such, or never will be. For a moment in between something may count twice; it always
 * counts once at least, so the limit holds.
 *
 * <pre>
 * reserve  --durable and applied-->  release     it counts as there
 *          --refused or failed---->  release     it does not count
 * </pre>
 *
 * <p>Thread-safe, guarded by its monitor.
 */
public final class Admission {
    private final long limit;
    private final LongSupplier there;
    private long underWay;

    /**
     * @param there how much there is; asked on any thread
     */
    public Admission(long limit, LongSupplier there) {
        this.limit = limit;
        this.there = there;
    }

    /** False when that would be more than the limit: nothing has happened then. */
    public synchronized boolean reserve(long amount) {
        if (!hasRoomFor(amount)) {
            return false;
        }
        underWay += amount;
        return true;
    }

    /** What was reserved is there now, or never will be. */
    public synchronized void release(long amount) {
        if (amount > underWay) {
            throw new IllegalStateException(amount + " of " + underWay + " reserved are released");
        }
        underWay -= amount;
    }

    /** Whether a reservation would be granted now. What grows by nothing always has room. */
    public synchronized boolean hasRoomFor(long amount) {
        return amount <= 0 || (amount <= limit && there.getAsLong() + underWay <= limit - amount);
    }

    public long limit() {
        return limit;
    }

    public long there() {
        return there.getAsLong();
    }

    public synchronized long underWay() {
        return underWay;
    }
}
