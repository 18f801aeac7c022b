package io.rivulet.prove.clock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Something that ends after a time. Owned by: one thread. */
abstract class Probe {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** What must hold by the monotonic clock. Immutable. */
    record Promise(long atLeastMillis, long atMostMillis) {}

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String name;
    private final Promise promise;

    Probe(String name, Promise promise) {
        this.name = name;
        this.promise = promise;
    }

    /** Returns what is wrong, or null. */
    abstract @Nullable String run() throws Exception;

    interface Ended {
        boolean now() throws Exception;
    }

    /**
     * Waits for the end.
     *
     * @param earliestNanos the time may have begun then
     * @param latestNanos the time has begun by then
     */
    final @Nullable String await(long earliestNanos, long latestNanos, Ended ended) throws Exception {
        while (!ended.now()) {
            if (millis(System.nanoTime() - latestNanos) > promise.atMostMillis) {
                return name + " has not ended after " + millis(System.nanoTime() - latestNanos) + " ms";
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        long afterMillis = millis(System.nanoTime() - earliestNanos);
        return afterMillis < promise.atLeastMillis ? name + " has ended after " + afterMillis + " ms" : null;
    }

    /** Waits for what must be there before the time begins. */
    final void awaitBeginning(Ended begun) throws Exception {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!begun.now()) {
            if (System.nanoTime() - endNanos > 0) {
                throw new IllegalStateException(name + " does not begin");
            }
        }
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
