package io.rivulet.broker.net;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why the broker closes connections. Clients decide how often that happens, and must not fill the disk with log
 * lines. So only the first closings of each window of time are logged. The first line of the next window has the number
 * of omitted ones.
 *
 * <p>Thread-safe.
 */
final class ClosingLog {
    static final int LINES_IN_WINDOW = 20;
    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(ClosingLog.class);
    private static final int OMIT = -1;

    private final LongSupplier clockNanos;
    private long windowNanos;
    private int lines;
    private int omitted;

    ClosingLog(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
        this.windowNanos = clockNanos.getAsLong();
    }

    /** The client has violated the protocol or a limit. */
    void refused(Object client, String reason) {
        int before = next();
        if (before != OMIT) {
            LOG.warn("Closing the connection from {}: {}{}", client, reason, alsoClosed(before));
        }
    }

    /** The broker has a bug. */
    void failed(Object client, Throwable cause) {
        int before = next();
        if (before != OMIT) {
            LOG.error("Closing the connection from {}{}", client, alsoClosed(before), cause);
        }
    }

    private static String alsoClosed(int before) {
        return before == 0 ? "" : " (before that " + before + " more were closed)";
    }

    /** The number of closings omitted before this line; {@link #OMIT} if this one is omitted too. */
    synchronized int next() {
        long now = clockNanos.getAsLong();
        if (now - windowNanos >= WINDOW_NANOS) {
            windowNanos = now;
            lines = 0;
        }
        if (lines == LINES_IN_WINDOW) {
            omitted++;
            return OMIT;
        }
        lines++;
        int before = omitted;
        omitted = 0;
        return before;
    }
}
