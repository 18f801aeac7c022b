package io.rivulet.bench.versus;

import java.util.concurrent.CompletableFuture;

/** Measures the time until a number of members have synced in one generation. Guarded by: its monitor. */
final class Rebalance {
    private int expected;
    private int generation;
    private int synced;
    private long startNanos;
    private CompletableFuture<Double> millis = new CompletableFuture<>();

    /** Starts the clock. The future completes with the milliseconds. */
    synchronized CompletableFuture<Double> begin(int members) {
        expected = members;
        synced = 0;
        startNanos = System.nanoTime();
        millis = new CompletableFuture<>();
        return millis;
    }

    /** The newest generation. */
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
