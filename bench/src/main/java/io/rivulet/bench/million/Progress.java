package io.rivulet.bench.million;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** How much of something is done, said every ten seconds. Thread-safe. */
final class Progress implements AutoCloseable {
    private static final long SECONDS = 10;

    private final PrintWriter out;
    private final String what;
    private final long all;
    private final AtomicLong done = new AtomicLong();
    private final long startNanos = System.nanoTime();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /** @param what that is counted, as "messages read" */
    Progress(PrintWriter out, String what, long all) {
        this.out = out;
        this.what = what;
        this.all = all;
        clock.scheduleWithFixedDelay(this::say, SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    void add(long count) {
        done.addAndGet(count);
    }

    /** Negative if there were more than there should be. */
    long left() {
        return all - done.get();
    }

    double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private void say() {
        out.printf(Locale.ROOT, "  %,.0f s: %,d of %,d %s%n", seconds(), done.get(), all, what);
        out.flush();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
