package io.rivulet.store.open;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes log lines about a replay that takes long: the first after a second, further ones every five, and one at the
 * end. A short replay has none.
 *
 * <p>Owned by: the thread that opens the store.
 */
final class ReplayProgress {
    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long NEXT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long MIB = 1 << 20;

    private final long totalBytes;
    private final LongSupplier clockNanos;
    private final Consumer<String> lines;
    private final long startedNanos;
    private long dueNanos;

    ReplayProgress(long totalBytes, LongSupplier clockNanos, Consumer<String> lines) {
        this.totalBytes = totalBytes;
        this.clockNanos = clockNanos;
        this.lines = lines;
        this.startedNanos = clockNanos.getAsLong();
        this.dueNanos = startedNanos + FIRST_NANOS;
    }

    /** Called for each group. */
    void at(long doneBytes) {
        long now = clockNanos.getAsLong();
        if (now - dueNanos >= 0) {
            dueNanos = now + NEXT_NANOS;
            lines.accept("Replaying the log: " + percent(doneBytes) + " % of " + totalBytes / MIB + " MiB, "
                    + rate(doneBytes, now) + " MiB/s");
        }
    }

    /** Whether it took so long that the end is worth a line. */
    boolean isLong() {
        return clockNanos.getAsLong() - startedNanos >= FIRST_NANOS;
    }

    /** The line at the end.
     *
     * @param queues after the replay
     */
    String end(int queues) {
        long now = clockNanos.getAsLong();
        return "Replayed " + totalBytes / MIB + " MiB of the log in "
                + TimeUnit.NANOSECONDS.toMillis(now - startedNanos) + " ms, " + rate(totalBytes, now) + " MiB/s; "
                + queues + " queues";
    }

    private long percent(long doneBytes) {
        return totalBytes <= 0 ? 100 : Math.min(100, 100 * doneBytes / totalBytes);
    }

    private long rate(long doneBytes, long nowNanos) {
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nowNanos - startedNanos));
        return 1000 * doneBytes / MIB / millis;
    }
}
