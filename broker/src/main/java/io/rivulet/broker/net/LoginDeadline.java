package io.rivulet.broker.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.rivulet.broker.sasl.Login;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose client does not log in in time. A handshake of TLS before that has a deadline of its own.
 *
 * <p>Owned by: the event loop of the connection.
 */
final class LoginDeadline extends ChannelInboundHandlerAdapter {
    /** A hundred times what a client needs. */
    private static final long MAX_MILLIS = 30_000;

    private final Login login;
    private final boolean afterHandshake;
    private final long millis;
    private boolean isStarted;

    /** @param idleMillis how long a connection may be idle; not positive for ever */
    LoginDeadline(Login login, boolean afterHandshake, long idleMillis) {
        this.login = login;
        this.afterHandshake = afterHandshake;
        this.millis = idleMillis > 0 ? Math.min(idleMillis, MAX_MILLIS) : MAX_MILLIS;
    }

    /** A client that was relayed before is active already. */
    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (!afterHandshake && context.channel().isActive()) {
            start(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!afterHandshake) {
            start(context);
        }
        context.fireChannelActive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (afterHandshake && event instanceof SslHandshakeCompletionEvent done && done.isSuccess()) {
            start(context);
        }
        context.fireUserEventTriggered(event);
    }

    private void start(ChannelHandlerContext context) {
        if (isStarted) {
            return;
        }
        isStarted = true;
        var deadline = context.executor().schedule(() -> end(context), millis, TimeUnit.MILLISECONDS);
        context.channel().closeFuture().addListener(closed -> deadline.cancel(false));
    }

    private void end(ChannelHandlerContext context) {
        if (login.isLoggedIn()) {
            context.pipeline().remove(this);
        } else {
            context.fireExceptionCaught(new RejectedRequestException("its client does not log in"));
        }
    }
}
