package io.rivulet.broker.limit;

import java.util.function.LongSupplier;

/**
 * A limit on a current amount plus reservations for changes in progress. A caller reserves before the change and
 * releases after it. Between the end of the change and the release the change counts twice, but never less than once,
 * so the limit holds.
 *
 * <pre>
 * reserve  --durable and applied-->  release     it is part of the current amount
 *          --refused or failed---->  release     it does not count
 * </pre>
 *
 * <p>Thread-safe, guarded by its monitor.
 */
public final class Admission {
    private final long limit;
    private final LongSupplier current;
    private long reserved;

    /**
     * @param current the current amount; called on any thread
     */
    public Admission(long limit, LongSupplier current) {
        this.limit = limit;
        this.current = current;
    }

    /** False if that would exceed the limit; then nothing is reserved. */
    public synchronized boolean reserve(long amount) {
        if (!hasRoomFor(amount)) {
            return false;
        }
        reserved += amount;
        return true;
    }

    /** The change has happened or failed. */
    public synchronized void release(long amount) {
        if (amount > reserved) {
            throw new IllegalStateException(amount + " are released, but only " + reserved + " are reserved");
        }
        reserved -= amount;
    }

    /** Whether a reservation would succeed now. There is always room for nothing. */
    public synchronized boolean hasRoomFor(long amount) {
        return amount <= 0 || (amount <= limit && current.getAsLong() + reserved <= limit - amount);
    }

    public long limit() {
        return limit;
    }

    public long current() {
        return current.getAsLong();
    }

    public synchronized long reserved() {
        return reserved;
    }
}
