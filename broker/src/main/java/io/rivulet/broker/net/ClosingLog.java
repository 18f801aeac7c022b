package io.rivulet.broker.net;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why the broker closes connections. Clients decide how often that happens, and must not fill the disk with log lines. So only
 * the first closings of each window of time are logged. The first line of the next window says how many were left out.
 *
 * <p>Thread-safe.
 */
final class ClosingLog {
    static final int LINES_IN_WINDOW = 20;
    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(ClosingLog.class);
    private static final int LEAVE_OUT = -1;

    private final LongSupplier clockNanos;
    private long windowNanos;
    private int lines;
    private int leftOut;

    ClosingLog(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
        this.windowNanos = clockNanos.getAsLong();
    }

    /** The client did something that is not allowed. */
    void refused(Object client, String reason) {
        int before = next();
        if (before != LEAVE_OUT) {
            LOG.warn("Closing the connection from {}: {}{}", client, reason, alsoClosed(before));
        }
    }

    /** The broker did something wrong. */
    void failed(Object client, Throwable cause) {
        int before = next();
        if (before != LEAVE_OUT) {
            LOG.error("Closing the connection from {}{}", client, alsoClosed(before), cause);
        }
    }

    private static String alsoClosed(int before) {
        return before == 0 ? "" : " (before that " + before + " more were closed)";
    }

    /** How many closings were left out before this line; {@link #LEAVE_OUT} if this one is left out too. */
    synchronized int next() {
        long now = clockNanos.getAsLong();
        if (now - windowNanos >= WINDOW_NANOS) {
            windowNanos = now;
            lines = 0;
        }
        if (lines == LINES_IN_WINDOW) {
            leftOut++;
            return LEAVE_OUT;
        }
        lines++;
        int before = leftOut;
        leftOut = 0;
        return before;
    }
}
