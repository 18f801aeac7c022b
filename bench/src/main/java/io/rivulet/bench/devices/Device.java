package io.rivulet.bench.devices;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.TlsClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends its requests, each after the answer to the one before. Owned by: the event loop of its connection. */
final class Device extends SimpleChannelInboundHandler<ByteBuf> {
    private final List<Exchange> exchanges;
    private final boolean encrypted;
    private final CompletableFuture<Visit> answered;
    private boolean resumed;
    private int sent;

    /** @param answered completes with the last answer, or fails */
    Device(List<Exchange> exchanges, boolean encrypted, CompletableFuture<Visit> answered) {
        this.exchanges = exchanges;
        this.encrypted = encrypted;
        this.answered = answered;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!encrypted) {
            next(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws IOException {
        if (event instanceof SslHandshakeCompletionEvent done) {
            if (done.isSuccess()) {
                resumed = TlsClient.isResumed(
                        context.pipeline().get(SslHandler.class).engine());
                next(context);
            } else {
                fail(context, done.cause());
            }
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf answer) throws BrokerFailedException {
        exchanges.get(sent - 1).check(answer);
        next(context);
    }

    private void next(ChannelHandlerContext context) {
        if (sent < exchanges.size()) {
            var unused = context.writeAndFlush(exchanges.get(sent++).frame().duplicate());
        } else {
            answered.complete(new Visit(context.channel(), resumed));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(context, new IOException("the broker closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(context, cause);
    }

    private void fail(ChannelHandlerContext context, Throwable cause) {
        answered.completeExceptionally(cause);
        var unused = context.close();
    }
}
