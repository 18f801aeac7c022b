package io.rivulet.broker.net;

import io.rivulet.store.failure.LogLimit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why the broker closes connections. Clients decide how often that happens, so the lines are limited.
 *
 * <p>Thread-safe.
 */
final class ClosingLog {
    static final int LINES_IN_WINDOW = 20;
    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(ClosingLog.class);

    private final LogLimit limit;

    ClosingLog(LongSupplier clockNanos) {
        this.limit = new LogLimit(LINES_IN_WINDOW, WINDOW_NANOS, clockNanos);
    }

    /** The client has violated the protocol or a limit. */
    void refused(Object client, String reason) {
        int before = next();
        if (before != LogLimit.OMIT) {
            LOG.warn("Closing the connection from {}: {}{}", client, reason, alsoClosed(before));
        }
    }

    /** The broker has a bug. */
    void failed(Object client, Throwable cause) {
        int before = next();
        if (before != LogLimit.OMIT) {
            LOG.error("Closing the connection from {}{}", client, alsoClosed(before), cause);
        }
    }

    private static String alsoClosed(int before) {
        return before == 0 ? "" : " (before that " + before + " more were closed)";
    }

    /** The number of closings omitted before this line; {@link LogLimit#OMIT} if this one is omitted too. */
    int next() {
        return limit.next();
    }
}
