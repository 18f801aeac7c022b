package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a listening socket accepts the next connection: when the last one has its place in an event loop, so
 * that others are served in between and the limits count it; or later, if the rate is limited. Meanwhile clients wait
 * in the backlog. After a failure, such as a lack of file descriptors, it waits for a second: it would fail again at
 * once.
 *
 * <p>Owned by: the event loop of the listening socket.
 */
final class Acceptor extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String listener;
    private final ConnectionLimits limits;
    private final FailureLatch failures;
    private long warnedNanos = System.nanoTime() - WARN_NANOS;

    Acceptor(String listener, ConnectionLimits limits, FailureLatch failures) {
        this.listener = listener;
        this.limits = limits;
        this.failures = failures;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        context.channel().config().setAutoRead(false);
        long pauseNanos = limits.accepted(listener);
        context.fireChannelRead(accepted);
        // Behind the task that registers the connection.
        ((Channel) accepted).eventLoop().execute(() -> acceptAfter(pauseNanos, context));
    }

    /** Any thread. */
    private static void acceptAfter(long nanos, ChannelHandlerContext context) {
        var unused = context.executor()
                .schedule(() -> context.channel().config().setAutoRead(true), nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failures.failIfError(cause);
        context.channel().config().setAutoRead(false);
        acceptAfter(AFTER_FAILURE_NANOS, context);
        if (System.nanoTime() - warnedNanos >= WARN_NANOS) {
            warnedNanos = System.nanoTime();
            LOG.warn("No connection can be accepted for now: {}", cause.getMessage());
        }
    }
}
