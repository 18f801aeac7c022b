package io.rivulet.broker.metrics;

import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The share of time in which some threads use no processor, from the processor time that the kernel counts. So the
 * threads pay nothing for it. It covers the time since an earlier scrape, at least 15 seconds before.
 *
 * <p>Guarded by the caller: one scrape at a time.
 */
final class IdleShare {
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final ThreadMXBean threads;
    private long baseNanos;
    private long baseUsedNanos;
    private long nextNanos;
    private long nextUsedNanos;

    IdleShare(ThreadMXBean threads, long nowNanos) {
        this.threads = threads;
        this.baseNanos = nowNanos;
        this.nextNanos = nowNanos;
    }

    /** From 0 to 1. A thread that has ended counts as idle. */
    double of(List<Long> threadIds, long nowNanos) {
        long used = 0;
        for (long id : threadIds) {
            used += Math.max(0, threads.getThreadCpuTime(id));
        }
        if (nowNanos - nextNanos >= SPAN_NANOS) {
            baseNanos = nextNanos;
            baseUsedNanos = nextUsedNanos;
            nextNanos = nowNanos;
            nextUsedNanos = used;
        }
        long passed = (nowNanos - baseNanos) * Math.max(1, threadIds.size());
        return passed <= 0 ? 1 : 1 - Math.max(0, Math.min(1, (used - baseUsedNanos) / (double) passed));
    }
}
