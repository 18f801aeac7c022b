package io.rivulet.broker.cli;

import java.util.function.LongSupplier;

/**
 * Collects all garbage when the heap has doubled since the last time. The serial collector of JDK 17 does so when the
 * old generation had to grow. That of JDK 25 lets it grow to the limit of the heap first, which takes memory from the
 * machine for nothing but garbage.
 *
 * <p>Owned by: thread collector-watch.
 */
final class GrownHeap {
    /** Set beside the options of the collector that needs this. */
    private static final String WANTED = "rivulet.collect.grown.heap";

    private static final long LEAST_BYTES = 64 << 20;
    /** A collection leaves some of the heap free. More than this is growth. */
    private static final long STEP_BYTES = 32 << 20;

    private final LongSupplier heapBytes;
    private final LongSupplier usedBytes;
    private final Runnable collect;
    private long mostBytes = LEAST_BYTES;

    /**
     * @param heapBytes what the heap takes from the system
     * @param usedBytes what objects take of it
     */
    GrownHeap(LongSupplier heapBytes, LongSupplier usedBytes, Runnable collect) {
        this.heapBytes = heapBytes;
        this.usedBytes = usedBytes;
        this.collect = collect;
    }

    @SuppressWarnings("SystemGc") // the collector does not collect the old generation by itself
    static GrownHeap ofJvm() {
        Runtime runtime = Runtime.getRuntime();
        boolean isWanted = Boolean.getBoolean(WANTED);
        return new GrownHeap(
                isWanted ? runtime::totalMemory : () -> 0,
                () -> runtime.totalMemory() - runtime.freeMemory(),
                System::gc);
    }

    void check() {
        if (heapBytes.getAsLong() > mostBytes) {
            collect.run();
            long needed = Math.max(2 * usedBytes.getAsLong(), heapBytes.getAsLong() + STEP_BYTES);
            mostBytes = Math.max(LEAST_BYTES, needed);
        }
    }
}
