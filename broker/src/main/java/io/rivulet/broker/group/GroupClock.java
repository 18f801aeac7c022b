package io.rivulet.broker.group;

import java.util.function.LongSupplier;

/**
 * Time as groups see it. Immutable.
 *
 * @param nanos monotonic, for timeouts
 * @param millis of the day, for what goes into the log
 */
public record GroupClock(LongSupplier nanos, LongSupplier millis) {
    public static final GroupClock SYSTEM = new GroupClock(System::nanoTime, System::currentTimeMillis);

    static final long NANOS_PER_MILLI = 1_000_000;

    /** So many milliseconds from now. */
    public long nanosIn(long delayMillis) {
        return nanos.getAsLong() + delayMillis * NANOS_PER_MILLI;
    }

    /** Milliseconds since some moment, which never go back. */
    public long elapsedMillis() {
        return nanos.getAsLong() / NANOS_PER_MILLI;
    }

    public long nowMillis() {
        return millis.getAsLong();
    }
}
