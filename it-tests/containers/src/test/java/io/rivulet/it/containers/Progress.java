package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** How far a client is that does one thing after the other, and how long it stood still. Guarded by itself. */
final class Progress {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private long count;
    private long lastNanos = System.nanoTime();
    private long longestNanos;
    private @Nullable Throwable failure;

    synchronized void advance() {
        longestNanos = stallNanos();
        lastNanos = System.nanoTime();
        count++;
    }

    private long stallNanos() {
        return Math.max(longestNanos, System.nanoTime() - lastNanos);
    }

    synchronized void fail(Throwable cause) {
        failure = cause;
    }

    synchronized long count() {
        assertThat(failure).isNull();
        return count;
    }

    /** The longest time without progress since the last call, in milliseconds. */
    synchronized long longestStallMillis() {
        long stalledNanos = stallNanos();
        longestNanos = 0;
        return TimeUnit.NANOSECONDS.toMillis(stalledNanos);
    }

    void awaitMore(int more) {
        awaitCount(count() + more);
    }

    void awaitCount(long target) {
        Awaitility.await().atMost(PATIENCE).until(() -> count() >= target);
    }

    static void awaitEnd(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
