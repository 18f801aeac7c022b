package io.rivulet.broker.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.rivulet.broker.tls.TlsListener;
import io.rivulet.store.failure.FailureLatch;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes each request of a connection to its page. The next request is read when the answer has been written.
 *
 * <p>Owned by: the thread of the pages.
 */
final class HttpConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);
    private static final int LINE_BYTES = 4096;
    private static final int HEAD_BYTES = 8192;
    private static final int CHUNK_BYTES = 8192;
    private static final int BODY_BYTES = 64 << 10;
    private static final long IDLE_SECONDS = 30;

    private final boolean encrypted;
    private final Pages pages;
    private final OpenConnections connections;
    private final FailureLatch failures;
    private boolean isAnswering;

    private HttpConnection(boolean encrypted, Pages pages, OpenConnections connections, FailureLatch failures) {
        this.encrypted = encrypted;
        this.pages = pages;
        this.connections = connections;
        this.failures = failures;
    }

    /** @param tls null if the connection is not encrypted */
    static void prepare(
            Channel channel,
            @Nullable TlsListener tls,
            Pages pages,
            OpenConnections connections,
            FailureLatch failures) {
        // The direct memory of the broker is planned for its clients.
        channel.config().setAllocator(HEAP);
        channel.config().setAutoRead(false);
        ChannelPipeline pipeline = channel.pipeline();
        if (tls != null) {
            tls.encrypt(channel);
        }
        pipeline.addLast(new IdleStateHandler(0, 0, IDLE_SECONDS, TimeUnit.SECONDS));
        pipeline.addLast(new HttpServerCodec(LINE_BYTES, HEAD_BYTES, CHUNK_BYTES));
        pipeline.addLast(new HttpObjectAggregator(BODY_BYTES, true));
        pipeline.addLast(new FlowControlHandler());
        pipeline.addLast(new HttpConnection(tls != null, pages, connections, failures));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!encrypted) {
            context.read();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        isAnswering = true;
        connections.active(context.channel());
        HttpExchange exchange;
        try {
            if (request.decoderResult().isFailure()) {
                throw new IllegalArgumentException(
                        String.valueOf(request.decoderResult().cause().getMessage()));
            }
            exchange = new HttpExchange(context.channel(), request, connections, () -> next(context));
        } catch (IllegalArgumentException e) {
            // Where the next request would begin is unknown.
            request.headers().set(HttpHeaderNames.CONNECTION, "close");
            request.setUri("/");
            new HttpExchange(context.channel(), request, connections, () -> {})
                    .answer(HttpResponseStatus.BAD_REQUEST, "not a request: " + e.getMessage());
            return;
        }
        exchange.run(() -> answer(exchange, request.method()));
    }

    private void next(ChannelHandlerContext context) {
        isAnswering = false;
        context.read();
    }

    /** Reads on while a request is incomplete: some of the decoders before this handler do not. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (!isAnswering) {
            context.read();
        }
    }

    private void answer(HttpExchange exchange, HttpMethod method) {
        Page page = pages.find(exchange.path());
        if (page == null) {
            exchange.answer(HttpResponseStatus.NOT_FOUND, "there is no page " + exchange.path());
        } else if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD) && !exchange.isPost()) {
            exchange.answer(new HttpAnswer(
                    HttpResponseStatus.METHOD_NOT_ALLOWED,
                    HttpAnswer.TEXT,
                    Map.of("Allow", "GET, HEAD, POST"),
                    HttpAnswer.text(HttpResponseStatus.METHOD_NOT_ALLOWED, "GET, HEAD or POST")
                            .body()));
        } else {
            page.answer(exchange);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof IdleStateEvent) {
            ChannelFuture unused = context.close();
        } else if (event instanceof SslHandshakeCompletionEvent) {
            context.channel().config().setAutoRead(false);
            context.read();
        } else {
            super.userEventTriggered(context, event);
        }
    }

    /** The client has gone, or what it sent is not HTTP. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failures.failIfError(cause);
        LOG.debug("A connection to a page has failed", cause);
        ChannelFuture unused = context.close();
    }
}
