package io.rivulet.broker.cli;

import io.rivulet.store.failure.FailureLatch;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Fails the broker when its heap is so full that nearly all time goes into garbage collections. Such a broker serves no
 * clients, but an allocation may not fail for hours. Of the JVM's collectors only the parallel one detects that, and G1
 * from JDK 26 on.
 *
 * <p>Owned by: thread collector-watch.
 */
final class CollectorWatch {
    /** The default of the parallel collector's GCTimeLimit. */
    private static final int MAX_PERCENT = 98;

    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** If a larger part of the heap is free, the heap is not the reason for collections. */
    private static final double TIGHT = 0.1;

    private final FailureLatch failures;
    private final DoubleSupplier freeHeap;
    private final LongSupplier collectedMillis;
    private boolean isWatching;
    private long fromNanos;
    private long fromMillis;

    /**
     * @param freeHeap the part of the heap that is free
     * @param collectedMillis how long collections have stopped all threads; called only while the heap is tight
     */
    CollectorWatch(FailureLatch failures, DoubleSupplier freeHeap, LongSupplier collectedMillis) {
        this.failures = failures;
        this.freeHeap = freeHeap;
        this.collectedMillis = collectedMillis;
    }

    static void start(FailureLatch failures) {
        CollectorWatch watch = new CollectorWatch(failures, CollectorWatch::freeHeap, CollectorWatch::collectedMillis);
        failures.thread("collector-watch", watch::watch).start();
    }

    private static double freeHeap() {
        Runtime runtime = Runtime.getRuntime();
        return 1 - (double) (runtime.totalMemory() - runtime.freeMemory()) / runtime.maxMemory();
    }

    /** Loads the JVM's management classes, which a broker with a free heap never needs. */
    private static long collectedMillis() {
        long sum = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            // Cycles run concurrently with the threads.
            boolean stops = !collector.getName().endsWith("Cycles");
            sum += stops ? collector.getCollectionTime() : 0;
        }
        return sum;
    }

    private void watch() {
        GrownHeap grown = GrownHeap.ofJvm();
        while (!failures.isSet()) {
            LockSupport.parkNanos(CHECK_NANOS);
            check(System.nanoTime());
            grown.check();
        }
    }

    void check(long nowNanos) {
        if (freeHeap.getAsDouble() > TIGHT) {
            isWatching = false;
            return;
        }
        long nowMillis = collectedMillis.getAsLong();
        long passedNanos = nowNanos - fromNanos;
        if (!isWatching || passedNanos >= WINDOW_NANOS) {
            long percent = 100 * TimeUnit.MILLISECONDS.toNanos(nowMillis - fromMillis) / Math.max(1, passedNanos);
            if (isWatching && percent >= MAX_PERCENT) {
                failures.fail(new OutOfMemoryError(
                        "the heap is full: " + percent + " % of the last minute went into collecting garbage"));
            }
            isWatching = true;
            fromNanos = nowNanos;
            fromMillis = nowMillis;
        }
    }
}
