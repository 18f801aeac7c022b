package io.rivulet.broker.net;

import io.rivulet.broker.access.Principal;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Timing;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.store.failure.LogLimit;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs requests that take long, from when the broker begins with one to the last byte of its answer. What a fetch waits
 * for records does not count. JoinGroup and SyncGroup wait for other members, so they are left out. The lines are
 * limited, because clients decide how often a request is slow.
 *
 * <p>Thread-safe.
 */
final class SlowRequests {
    static final int LINES_A_MINUTE = 20;

    private static final Logger LOG = LoggerFactory.getLogger(SlowRequests.class);

    private final long thresholdNanos;
    private final LongSupplier clockNanos;
    private final LogLimit limit;

    /** @param thresholdMillis 0 logs none */
    SlowRequests(long thresholdMillis, LongSupplier clockNanos) {
        this.thresholdNanos = TimeUnit.MILLISECONDS.toNanos(thresholdMillis);
        this.clockNanos = clockNanos;
        this.limit = new LogLimit(LINES_A_MINUTE, TimeUnit.MINUTES.toNanos(1), clockNanos);
    }

    /** Called before the call is handled. */
    void started(Call call, int requestBytes) {
        if (thresholdNanos > 0 && call.key() != ApiKey.JOIN_GROUP && call.key() != ApiKey.SYNC_GROUP) {
            call.timing(new Timing(requestBytes, clockNanos.getAsLong()));
        }
    }

    /** @param answerBytes 0 if the client wants no answer */
    void ended(Call call, Object client, int answerBytes) {
        if (call.timing() != null) {
            String line = line(call, client, answerBytes);
            if (line != null) {
                LOG.warn(line);
            }
        }
    }

    private static String user(Call call) {
        Principal principal = call.access().principal();
        return principal.equals(Principal.ANONYMOUS) ? "" : " of " + principal;
    }

    /** The line of a timed call; null if it was fast, or too many lines were logged. */
    @Nullable
    String line(Call call, Object client, int answerBytes) {
        Timing timing = Objects.requireNonNull(call.timing());
        long nanos = clockNanos.getAsLong() - timing.startedNanos() - timing.waitedNanos();
        int before = nanos < thresholdNanos ? LogLimit.OMIT : limit.next();
        if (before == LogLimit.OMIT) {
            return null;
        }
        long waitedMillis = TimeUnit.NANOSECONDS.toMillis(timing.waitedNanos());
        return "Slow request: " + call.key().apiName() + " v" + call.version() + " of client '" + call.clientId()
                + "'" + user(call) + " at " + client + " took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms"
                + (waitedMillis == 0 ? "" : " after " + waitedMillis + " ms of waiting for records") + ", "
                + timing.requestBytes() + " bytes in, " + answerBytes + " bytes out" + LogLimit.text(before);
    }
}
