package io.rivulet.broker.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long the calls of one API took: log-linear buckets, with 8 of the same width in each power of two. So a quantile
 * is at most an eighth too high. What takes less than 8 microseconds has a bucket for each microsecond.
 *
 * <p>Thread-safe. An addition takes two atomic additions.
 */
final class CallTimes {
    private static final int UNIT_SHIFT = 10;
    private static final int LINEAR_SHIFT = 3;
    private static final int LINEAR = 1 << LINEAR_SHIFT;
    /** 73 minutes. What takes longer is in the last bucket. */
    private static final long MAX_UNITS = (1L << 32) - 1;

    static final int BUCKETS = bucket(Long.MAX_VALUE) + 1;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + 1);

    void add(long nanos) {
        counts.getAndIncrement(bucket(nanos));
        counts.getAndAdd(BUCKETS, Math.max(0, nanos));
    }

    static int bucket(long nanos) {
        long units = Math.max(0, Math.min(MAX_UNITS, nanos >> UNIT_SHIFT));
        if (units < LINEAR) {
            return (int) units;
        }
        int shift = Long.SIZE - 1 - LINEAR_SHIFT - Long.numberOfLeadingZeros(units);
        return shift * LINEAR + (int) (units >>> shift);
    }

    /** The time that all calls in the bucket and below are shorter than. */
    static long limitNanos(int bucket) {
        if (bucket < LINEAR) {
            return (bucket + 1L) << UNIT_SHIFT;
        }
        int shift = bucket / LINEAR - 1;
        return ((bucket % LINEAR + LINEAR + 1L) << shift) << UNIT_SHIFT;
    }

    long sumNanos() {
        return counts.get(BUCKETS);
    }

    /** A copy of the number of calls in each bucket. */
    long[] counts() {
        long[] copy = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = counts.get(i);
        }
        return copy;
    }

    /** The time that the share of the calls did not exceed. There is at least one. */
    static long quantileNanos(long[] counts, double share) {
        long rest = 0;
        for (long count : counts) {
            rest += count;
        }
        rest = Math.max(1, (long) Math.ceil(share * rest));
        int bucket = 0;
        for (; bucket < counts.length - 1; bucket++) {
            rest -= counts[bucket];
            if (rest <= 0) {
                break;
            }
        }
        return limitNanos(bucket);
    }
}
