package io.rivulet.broker.net;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.rivulet.broker.quota.ClientQuotas;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time during which a connection is not read, because its client exceeds a quota. It ends early when a rule has
 * changed: the next call of the client shows whether it still has to wait.
 *
 * <p>Owned by: the event loop of the connection.
 */
final class Throttle {
    /** How often a change of rules is looked for. */
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClientQuotas quotas;
    private final EventLoop loop;
    private final Runnable ended;
    private long untilNanos;
    private long changes;
    private @Nullable Future<?> timer;

    Throttle(ClientQuotas quotas, EventLoop loop, Runnable ended) {
        this.quotas = quotas;
        this.loop = loop;
        this.ended = ended;
    }

    boolean isOn() {
        return timer != null;
    }

    /** Whether it is on, or was in the last second. */
    boolean wasOnLately() {
        return quotas.nowNanos() - untilNanos < STEP_NANOS;
    }

    /** Begins, or goes on for longer. */
    void begin(long millis) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        long until = quotas.nowNanos() + nanos;
        if (timer == null) {
            untilNanos = until;
            changes = quotas.rules().changes();
            schedule(nanos);
        } else if (until - untilNanos > 0) {
            untilNanos = until;
        }
    }

    private void schedule(long nanos) {
        timer = loop.isShuttingDown()
                ? null
                : loop.schedule(this::check, Math.min(nanos, STEP_NANOS), TimeUnit.NANOSECONDS);
    }

    private void check() {
        timer = null;
        long left = untilNanos - quotas.nowNanos();
        if (left > 0 && changes == quotas.rules().changes()) {
            schedule(left);
        } else {
            ended.run();
        }
    }

    /** The connection is closed. */
    void cancel() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
