package io.rivulet.broker.coordinator;

import io.rivulet.store.time.StoreClock;
import java.util.function.LongSupplier;

/**
 * The times that groups and transactions use; {@link StoreClock} explains them. Immutable.
 *
 * @param nanos monotonic, for timeouts
 * @param stamp wall-clock milliseconds, for entries of the log
 * @param expiry wall-clock milliseconds, to judge the age of entries
 */
public record CoordinatorClock(LongSupplier nanos, LongSupplier stamp, LongSupplier expiry) {
    public static final long NANOS_PER_MILLI = 1_000_000;

    public static CoordinatorClock of(StoreClock clock) {
        return new CoordinatorClock(clock::nanos, clock::stampMillis, clock::expiryMillis);
    }

    /** The monotonic time after the delay. */
    public long nanosIn(long delayMillis) {
        return nanos.getAsLong() + delayMillis * NANOS_PER_MILLI;
    }

    /** Monotonic milliseconds since an arbitrary moment. */
    public long elapsedMillis() {
        return nanos.getAsLong() / NANOS_PER_MILLI;
    }

    public long stampMillis() {
        return stamp.getAsLong();
    }

    public long expiryMillis() {
        return expiry.getAsLong();
    }
}
