package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.rivulet.broker.config.ConnectionSettings;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits connections: all, those of each address, and new ones a second. If all are open, a new one takes the place of
 * the one that is idle the longest. Thread-safe, guarded by its monitor.
 */
final class ConnectionLimits {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimits.class);
    private static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** So many connections that are being closed may exist beside the allowed ones. */
    private static final int MAX_CLOSING = 16;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** They may change at any time. */
    private final Supplier<ConnectionSettings> settings;

    private final LongSupplier clockNanos;
    private final LongestIdle idle;
    private final Map<InetAddress, Integer> byAddress = new HashMap<>();
    private int open;
    private long refused;
    private long warnedNanos;
    /** When the allowed rate admits the next connection. */
    private long nextNanos;
    /** The same for the own rates of listeners. */
    private final Map<String, Long> nextNanosByListener = new HashMap<>();

    ConnectionLimits(Supplier<ConnectionSettings> settings, LongSupplier clockNanos) {
        this.settings = settings;
        this.clockNanos = clockNanos;
        this.idle = new LongestIdle(clockNanos);
        this.warnedNanos = clockNanos.getAsLong() - WARN_NANOS;
        this.nextNanos = clockNanos.getAsLong() - SECOND_NANOS;
    }

    /**
     * Null if the connection is admitted; then {@link #closed} is called at its end. Otherwise the exceeded limit.
     *
     * @param close closes the connection that is idle the longest, soon and on another thread
     */
    synchronized @Nullable String opened(InetAddress address, Consumer<Channel> close) {
        ConnectionSettings now = settings.get();
        int ofAddress = byAddress.getOrDefault(address, 0);
        int maxOfAddress = now.maxOf(address);
        if (ofAddress >= maxOfAddress) {
            return "max.connections.per.ip (" + maxOfAddress + ") are open from this address";
        }
        if (open >= now.max()) {
            Channel longestIdle = open < now.max() + (long) MAX_CLOSING ? idle.take() : null;
            if (longestIdle == null) {
                return "max.connections (" + now.max() + ") are open";
            }
            close.accept(longestIdle);
        }
        open++;
        byAddress.put(address, ofAddress + 1);
        return null;
    }

    synchronized void closed(InetAddress address) {
        open--;
        byAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
    }

    /** How many connections are open. */
    synchronized int open() {
        return open;
    }

    /** The connections among which one is closed when too many are open. */
    LongestIdle idle() {
        return idle;
    }

    /**
     * Counts an accepted connection. Returns how long the listener must accept no others. The connections of a second
     * may come together.
     */
    synchronized long accepted(String listener) {
        ConnectionSettings limits = settings.get();
        int maxRate = limits.maxCreationRate();
        int maxRateOfListener = limits.maxCreationRate(listener);
        if (maxRate == Integer.MAX_VALUE && maxRateOfListener == Integer.MAX_VALUE) {
            return 0;
        }
        long now = clockNanos.getAsLong();
        nextNanos = next(nextNanos, now, maxRate);
        long ofListener = next(nextNanosByListener.getOrDefault(listener, now - SECOND_NANOS), now, maxRateOfListener);
        nextNanosByListener.put(listener, ofListener);
        return Math.max(0, Math.max(nextNanos - now, ofListener - now));
    }

    private static long next(long before, long now, int maxRate) {
        return Math.max(before, now - SECOND_NANOS) + SECOND_NANOS / maxRate;
    }

    /** Logs one line for many refused connections. */
    void warn(Object address, String reason) {
        long count;
        synchronized (this) {
            refused++;
            long now = clockNanos.getAsLong();
            if (now - warnedNanos < WARN_NANOS) {
                return;
            }
            warnedNanos = now;
            count = refused;
            refused = 0;
        }
        LOG.warn("Refused {} connections, the last one from {}: {}", count, address, reason);
    }
}
