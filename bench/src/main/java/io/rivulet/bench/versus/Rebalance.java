package io.rivulet.bench.versus;

import java.util.concurrent.CompletableFuture;

/** How long a classic group takes until so many members have synced in the same generation. Guarded by its monitor. */
final class Rebalance {
    private int expected;
    private int generation;
    private int synced;
    private long startNanos;
    private CompletableFuture<Double> millis = new CompletableFuture<>();

    /** Starts the clock. The future is completed with the milliseconds. */
    synchronized CompletableFuture<Double> begin(int members) {
        expected = members;
        synced = 0;
        startNanos = System.nanoTime();
        millis = new CompletableFuture<>();
        return millis;
    }

    /** How many generations there have been. */
    synchronized int generation() {
        return generation;
    }

    synchronized void synced(int ofGeneration) {
        if (ofGeneration > generation) {
            generation = ofGeneration;
            synced = 0;
        }
        synced += ofGeneration == generation ? 1 : 0;
        if (synced == expected) {
            millis.complete((System.nanoTime() - startNanos) / 1e6);
        }
    }
}
