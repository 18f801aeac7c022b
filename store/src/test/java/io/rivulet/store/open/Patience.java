package io.rivulet.store.open;

import io.rivulet.store.StoreMetric;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Waits as long as there is progress: a slow machine fails no test, but a thread that waits for ever does.
 *
 * <p>Immutable.
 */
final class Patience {
    private static final Duration STILL = Duration.ofMinutes(2);
    private static final long LOOK_SECONDS = 1;

    private final LongSupplier progress;

    /** @param progress changes as long as there is progress */
    Patience(LongSupplier progress) {
        this.progress = progress;
    }

    /** Progress is what the store has done so far. */
    static Patience with(LocalStore store) {
        return new Patience(() -> store.metric(StoreMetric.LOG_WRITTEN_BYTES)
                + store.metric(StoreMetric.SWEPT_BYTES)
                + store.metric(StoreMetric.SWEEP_CYCLES)
                + store.metric(StoreMetric.MERGED_BYTES));
    }

    <T> T get(Future<T> future) throws InterruptedException, ExecutionException {
        long seen = progress.getAsLong();
        long stillSinceNanos = System.nanoTime();
        while (true) {
            try {
                return future.get(LOOK_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                long now = progress.getAsLong();
                if (now != seen) {
                    seen = now;
                    stillSinceNanos = System.nanoTime();
                } else if (System.nanoTime() - stillSinceNanos > STILL.toNanos()) {
                    throw new AssertionError("nothing has moved for " + STILL + "; threads are at\n" + threads(), e);
                }
            }
        }
    }

    private static String threads() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> thread :
                Thread.getAllStackTraces().entrySet()) {
            text.append(thread.getKey().getName()).append('\n');
            for (StackTraceElement frame : thread.getValue()) {
                text.append("    ").append(frame).append('\n');
            }
        }
        return text.toString();
    }
}
