package io.rivulet.bench.lab;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Prints a count every ten seconds. Thread-safe. */
public final class Progress implements AutoCloseable {
    private static final long SECONDS = 10;

    private final PrintWriter out;
    private final String what;
    private final LongAdder done;
    private final long startNanos = System.nanoTime();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /** @param what is counted, for example "messages read" */
    public Progress(PrintWriter out, String what, LongAdder done) {
        this.out = out;
        this.what = what;
        this.done = done;
        clock.scheduleWithFixedDelay(this::print, SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    public double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private void print() {
        double seconds = seconds();
        long count = done.sum();
        out.printf(Locale.ROOT, "  %s: %,d in %.0f s, %,.0f a second%n", what, count, seconds, count / seconds);
        out.flush();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
