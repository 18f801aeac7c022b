package io.rivulet.store.failure;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Bounds the log lines about events that clients can repeat at will: only the first ones of each window of time are
 * logged. The first line of the next window has the number of omitted ones.
 *
 * <p>Thread-safe.
 */
public final class LogLimit {
    /** The result of {@link #next} if there is no line. */
    public static final int OMIT = -1;

    private final int maxLines;
    private final long windowNanos;
    private final LongSupplier clockNanos;
    private long windowSinceNanos;
    private int lines;
    private int omitted;

    public LogLimit(int maxLines, long windowNanos, LongSupplier clockNanos) {
        this.maxLines = maxLines;
        this.windowNanos = windowNanos;
        this.clockNanos = clockNanos;
        this.windowSinceNanos = clockNanos.getAsLong();
    }

    /** Some lines a minute. */
    public static LogLimit aMinute(int maxLines) {
        return new LogLimit(maxLines, TimeUnit.MINUTES.toNanos(1), System::nanoTime);
    }

    /** Calls the action with the text for the end of its line, or not at all. */
    public void log(Consumer<String> line) {
        int before = next();
        if (before != OMIT) {
            line.accept(text(before));
        }
    }

    /** The end of a line, by what {@link #next} has returned. */
    public static String text(int before) {
        return before == 0 ? "" : " (before that " + before + " more like this)";
    }

    /** How many events were omitted before this one; {@link #OMIT} if this one is omitted too. */
    public synchronized int next() {
        long now = clockNanos.getAsLong();
        if (now - windowSinceNanos >= windowNanos) {
            windowSinceNanos = now;
            lines = 0;
        }
        if (lines == maxLines) {
            omitted++;
            return OMIT;
        }
        lines++;
        int before = omitted;
        omitted = 0;
        return before;
    }
}
