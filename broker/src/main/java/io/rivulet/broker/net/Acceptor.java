package io.rivulet.broker.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the rate at which a listening socket accepts connections, and logs when it can accept none. Meanwhile clients
 * wait in the backlog. After a failure, such as a lack of file descriptors, Netty accepts nothing for a second.
 *
 * <p>Owned by: the event loop of the listening socket.
 */
final class Acceptor extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(60);

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
    public void channelRead(ChannelHandlerContext context, Object connection) {
        long pauseNanos = limits.accepted(listener);
        if (pauseNanos > 0 && context.channel().config().isAutoRead()) {
            context.channel().config().setAutoRead(false);
            var unused = context.executor()
                    .schedule(() -> context.channel().config().setAutoRead(true), pauseNanos, TimeUnit.NANOSECONDS);
        }
        context.fireChannelRead(connection);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failures.failIfError(cause);
        if (System.nanoTime() - warnedNanos >= WARN_NANOS) {
            warnedNanos = System.nanoTime();
            LOG.warn("No connection can be accepted for now: {}", cause.getMessage());
        }
    }
}
