package io.rivulet.broker.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The calls of the last minutes: the difference between two copies of {@link CallTimes}. A scrape makes a copy, at most
 * once a minute. So calls pay nothing for it, and several scrapers see the same.
 *
 * <p>Guarded by the caller: one scrape at a time. Memory: 2 KB for a copy, at most seven.
 */
final class RecentTimes {
    private static final long STEP_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long SPAN_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final class Copy {
        private final long takenNanos;
        private final long[] counts;

        Copy(long takenNanos, long[] counts) {
            this.takenNanos = takenNanos;
            this.counts = counts;
        }

        boolean isOlder(long nowNanos, long span) {
            return nowNanos - takenNanos >= span;
        }
    }

    /** From the oldest to the newest. Only the first may be older than the span. */
    private final Deque<Copy> copies = new ArrayDeque<>();

    /**
     * The calls in each bucket since the newest copy that is five minutes old, or since the start.
     *
     * @param now all calls; must not be changed afterwards
     */
    long[] since(long[] now, long nowNanos) {
        Copy base = null;
        for (Copy copy : copies) {
            base = copy.isOlder(nowNanos, SPAN_NANOS) ? copy : base;
        }
        while (base != null && copies.peekFirst() != base) {
            copies.removeFirst();
        }
        Copy newest = copies.peekLast();
        if (newest == null || newest.isOlder(nowNanos, STEP_NANOS)) {
            copies.addLast(new Copy(nowNanos, now));
        }
        return base == null ? now : difference(now, base.counts);
    }

    private static long[] difference(long[] now, long[] before) {
        long[] recent = now.clone();
        for (int i = 0; i < recent.length; i++) {
            recent[i] -= before[i];
        }
        return recent;
    }
}
