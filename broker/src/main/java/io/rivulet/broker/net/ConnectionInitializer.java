package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.rivulet.broker.api.Dispatcher;

/** The one place where a connection's pipeline is put together. Immutable. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {
    /** Kafka's own default of socket.request.max.bytes. */
    private static final int MAX_REQUEST_BYTES = 100 * 1024 * 1024;

    private final Dispatcher dispatcher;

    ConnectionInitializer(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    protected void initChannel(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addLast(
                "frame", new LengthFieldBasedFrameDecoder(MAX_REQUEST_BYTES, 0, Integer.BYTES, 0, Integer.BYTES));
        pipeline.addLast("response", new ResponseEncoder());
        pipeline.addLast("request", new RequestDecoder());
        pipeline.addLast("handler", new RequestHandler(dispatcher));
    }
}
