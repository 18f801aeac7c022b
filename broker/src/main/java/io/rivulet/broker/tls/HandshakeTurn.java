package io.rivulet.broker.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the turn of a connection's handshake, and then puts Netty's handler in its own place. A client may be
 * silent for ten seconds in a handshake, but only for three if others wait: enough for a packet that is sent again on a
 * slow network. Time in which the broker itself is busy with the handshake does not count. Otherwise a slow broker
 * would give up what it has half done, and get the same work again.
 *
 * <p>Owned by: the event loop of the connection.
 */
final class HandshakeTurn extends ChannelInboundHandlerAdapter {
    private static final long LOOK_MILLIS = 250;
    private static final long SILENT_MILLIS = 10_000;
    private static final long SILENT_MILLIS_IF_OTHERS_WAIT = 3_000;

    private final Handshakes handshakes;
    private final Supplier<SslContext> keys;
    private final Handshakes.Turn turn = this::come;
    private @Nullable ChannelHandlerContext place;
    private @Nullable HandshakeWork work;
    private @Nullable ScheduledFuture<?> check;
    private long silentMillis;

    /** @param keys asked when the turn has come */
    HandshakeTurn(Handshakes handshakes, Supplier<SslContext> keys) {
        this.handshakes = handshakes;
        this.keys = keys;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        place = added;
        Channel channel = added.channel();
        channel.config().setAutoRead(false);
        channel.closeFuture().addListener(closed -> end());
        handshakes.enter(turn);
    }

    private void come() {
        ChannelHandlerContext here = Objects.requireNonNull(place);
        EventLoop loop = here.channel().eventLoop();
        if (!loop.isShuttingDown()) {
            loop.execute(() -> start(here));
        }
    }

    private void start(ChannelHandlerContext here) {
        Channel channel = here.channel();
        if (!channel.isActive()) {
            end();
            return;
        }
        HandshakeWork begun = new HandshakeWork(handshakes.workers(), channel::isActive, () -> handshakes.leave(turn));
        work = begun;
        SslHandler tls = keys.get().newHandler(here.alloc(), begun);
        tls.setHandshakeTimeoutMillis(0);
        tls.handshakeFuture().addListener(done -> end());
        check = channel.eventLoop()
                .scheduleWithFixedDelay(
                        () -> check(channel, tls, begun), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        channel.pipeline().replace(this, "tls", tls);
        channel.config().setAutoRead(true);
    }

    private void check(Channel channel, SslHandler tls, HandshakeWork begun) {
        if (begun.isUnderWay() || tls.handshakeFuture().isDone()) {
            return;
        }
        silentMillis += LOOK_MILLIS;
        if (silentMillis >= (handshakes.someWait() ? SILENT_MILLIS_IF_OTHERS_WAIT : SILENT_MILLIS)) {
            channel.pipeline()
                    .fireExceptionCaught(
                            new SSLHandshakeException("the client was silent for " + silentMillis + " ms"));
        }
    }

    private void end() {
        if (check != null) {
            check.cancel(false);
        }
        if (work == null) {
            handshakes.leave(turn);
        } else {
            work.end();
        }
    }
}
