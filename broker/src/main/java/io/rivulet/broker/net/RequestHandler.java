package io.rivulet.broker.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;
import io.rivulet.broker.api.Dispatcher;
import io.rivulet.protocol.wire.MalformedRequestException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of the pipeline: has each request answered, and closes the connection of a client that broke the rules. */
final class RequestHandler extends SimpleChannelInboundHandler<Request> {
    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

    private final Dispatcher dispatcher;

    RequestHandler(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Request request) {
        short headerVersion = request.key().responseHeaderVersion(request.version());
        context.writeAndFlush(new Response(
                request.correlationId(), headerVersion, request.version(), dispatcher.dispatch(request.key())));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        Throwable cause = thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof MalformedRequestException
                || cause instanceof RejectedRequestException
                || cause instanceof TooLongFrameException
                || cause instanceof DecoderException) {
            LOG.warn("Closing the connection from {}: {}", context.channel().remoteAddress(), cause.getMessage());
        } else if (cause instanceof IOException) {
            LOG.debug("Connection from {} broke: {}", context.channel().remoteAddress(), cause.getMessage());
        } else {
            LOG.error("Closing the connection from {}", context.channel().remoteAddress(), cause);
        }
        context.close();
    }
}
