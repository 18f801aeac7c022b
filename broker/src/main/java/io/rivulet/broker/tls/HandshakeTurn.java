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
 * Waits for the turn of a connection's handshake, and then puts Netty's handler in its own place. A handshake has ten
 * seconds, but only one if others wait.
 *
 * <p>Owned by: the event loop of the connection.
 */
final class HandshakeTurn extends ChannelInboundHandlerAdapter {
    private static final long PATIENCE_SECONDS = 10;

    private final Handshakes handshakes;
    private final Supplier<SslContext> keys;
    private final Handshakes.Turn turn = this::come;
    private @Nullable ChannelHandlerContext place;
    private @Nullable ScheduledFuture<?> check;
    private long seconds;

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
        SslHandler tls = keys.get().newHandler(here.alloc(), handshakes.workers());
        tls.setHandshakeTimeoutMillis(0);
        tls.handshakeFuture().addListener(done -> end());
        check = channel.eventLoop().scheduleAtFixedRate(() -> check(channel, tls), 1, 1, TimeUnit.SECONDS);
        channel.pipeline().replace(this, "tls", tls);
        channel.config().setAutoRead(true);
    }

    private void check(Channel channel, SslHandler tls) {
        seconds++;
        if (!tls.handshakeFuture().isDone() && (seconds >= PATIENCE_SECONDS || handshakes.someWait())) {
            channel.pipeline().fireExceptionCaught(new SSLHandshakeException("no handshake within " + seconds + " s"));
        }
    }

    private void end() {
        if (check != null) {
            check.cancel(false);
        }
        handshakes.leave(turn);
    }
}
