package io.rivulet.broker.coordinator;

import io.rivulet.store.time.StoreClock;
import java.util.function.LongSupplier;

/**
 * Time as groups and transactions see it; {@link StoreClock} says which is for what. Immutable.
 *
 * @param nanos monotonic, for timeouts
 * @param stamp milliseconds of the day, for what goes into the log
 * @param expiry milliseconds of the day, for the age of what stands in the log
 */
public record CoordinatorClock(LongSupplier nanos, LongSupplier stamp, LongSupplier expiry) {
    public static final long NANOS_PER_MILLI = 1_000_000;

    public static CoordinatorClock of(StoreClock clock) {
        return new CoordinatorClock(clock::nanos, clock::stampMillis, clock::expiryMillis);
    }

    /** So many milliseconds from now. */
    public long nanosIn(long delayMillis) {
        return nanos.getAsLong() + delayMillis * NANOS_PER_MILLI;
    }

    /** Milliseconds since some moment, which never go back. */
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
