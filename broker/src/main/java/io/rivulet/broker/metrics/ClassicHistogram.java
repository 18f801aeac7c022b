package io.rivulet.broker.metrics;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** A few buckets with round limits, for a histogram in Prometheus. Thread-safe. */
final class ClassicHistogram {
    /** As text, because Prometheus compares them as text. */
    static final List<String> LIMITS = List.of(
            "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "5");

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long[] LIMIT_NANOS = LIMITS.stream()
            .mapToLong(limit -> Math.round(Double.parseDouble(limit) * NANOS_PER_SECOND))
            .toArray();

    private final AtomicLongArray counts = new AtomicLongArray(LIMIT_NANOS.length + 1);

    void add(long nanos) {
        int bucket = 0;
        while (bucket < LIMIT_NANOS.length && nanos > LIMIT_NANOS[bucket]) {
            bucket++;
        }
        counts.getAndIncrement(bucket);
    }

    /** The number of calls up to the limit, for each limit; the last number is that of all calls. */
    long[] cumulative() {
        long[] sums = new long[counts.length()];
        long sum = 0;
        for (int i = 0; i < sums.length; i++) {
            sum += counts.get(i);
            sums[i] = sum;
        }
        return sums;
    }
}
