package io.rivulet.simulation;

import io.rivulet.store.time.StoreClock;
import java.util.concurrent.TimeUnit;

/** A wall clock and a monotonic clock. Both stand still until the simulation moves them; the wall clock may step. */
final class SimulatedTime {
    private static final long START_MILLIS = 1_800_000_000_000L;
    private static final long PATIENCE_MILLIS = TimeUnit.HOURS.toMillis(1);

    private long nanos = 1;
    private long aheadMillis = START_MILLIS;

    long nanos() {
        return nanos;
    }

    long wallMillis() {
        return aheadMillis + TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    void pass(long passedNanos) {
        nanos += passedNanos;
    }

    /** Somebody sets the wall clock. */
    void step(long millis) {
        aheadMillis += millis;
    }

    /** As a process has it that starts now. */
    StoreClock clock() {
        return new StoreClock(this::wallMillis, this::nanos, PATIENCE_MILLIS);
    }
}
