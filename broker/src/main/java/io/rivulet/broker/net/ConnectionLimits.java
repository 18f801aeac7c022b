package io.rivulet.broker.net;

import io.rivulet.broker.config.ConnectionSettings;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits connections: all, those of each address, and new ones a second. Thread-safe, guarded by its monitor. */
final class ConnectionLimits {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimits.class);
    private static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** They may change at any time. */
    private final Supplier<ConnectionSettings> settings;

    private final LongSupplier clockNanos;
    private final Map<InetAddress, Integer> byAddress = new HashMap<>();
    private int open;
    private long refused;
    private long warnedNanos;
    /** When the allowed rate admits the next connection. */
    private long nextNanos;

    ConnectionLimits(Supplier<ConnectionSettings> settings, LongSupplier clockNanos) {
        this.settings = settings;
        this.clockNanos = clockNanos;
        this.warnedNanos = clockNanos.getAsLong() - WARN_NANOS;
        this.nextNanos = clockNanos.getAsLong() - SECOND_NANOS;
    }

    /** Null if the connection is admitted; then {@link #closed} is called at its end. Otherwise the exceeded limit. */
    synchronized @Nullable String opened(InetAddress address) {
        ConnectionSettings now = settings.get();
        if (open >= now.max()) {
            return "max.connections (" + now.max() + ") are open";
        }
        int ofAddress = byAddress.getOrDefault(address, 0);
        int maxOfAddress = now.maxOf(address);
        if (ofAddress >= maxOfAddress) {
            return "max.connections.per.ip (" + maxOfAddress + ") are open from this address";
        }
        open++;
        byAddress.put(address, ofAddress + 1);
        return null;
    }

    synchronized void closed(InetAddress address) {
        open--;
        byAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
    }

    /**
     * Counts an accepted connection. Returns how long to accept no others. The connections of a second may come
     * together.
     */
    synchronized long accepted() {
        int maxRate = settings.get().maxCreationRate();
        if (maxRate == Integer.MAX_VALUE) {
            return 0;
        }
        long now = clockNanos.getAsLong();
        nextNanos = Math.max(nextNanos, now - SECOND_NANOS) + SECOND_NANOS / maxRate;
        return Math.max(0, nextNanos - now);
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
