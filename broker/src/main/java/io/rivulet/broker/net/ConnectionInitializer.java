package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.rivulet.broker.api.Dispatcher;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.Listener;
import io.rivulet.store.failure.FailureLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where a connection's pipeline is put together. Thread-safe. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionInitializer.class);

    /** Answers that are ready together go to the socket together. */
    private static final int MAX_FLUSHES_TO_ONE = 64;

    private final BrokerConfig config;
    private final Listener listener;
    private final Dispatcher dispatcher;
    /** All connections of all listeners. */
    private final ChannelGroup connections;

    private final FailureLatch failures;

    ConnectionInitializer(
            BrokerConfig config,
            Listener listener,
            Dispatcher dispatcher,
            ChannelGroup connections,
            FailureLatch failures) {
        this.config = config;
        this.listener = listener;
        this.dispatcher = dispatcher;
        this.connections = connections;
        this.failures = failures;
    }

    @Override
    protected void initChannel(Channel channel) {
        if (connections.size() >= config.maxConnections()) {
            LOG.warn(
                    "Refusing the connection from {}: max.connections ({}) are open",
                    channel.remoteAddress(),
                    config.maxConnections());
            ChannelFuture unused = channel.close();
            return;
        }
        connections.add(channel);
        ChannelPipeline pipeline = channel.pipeline();
        if (config.idleMillis() > 0) {
            pipeline.addLast("idle", new IdleCloser(config.idleMillis()));
        }
        pipeline.addLast("flush", new FlushConsolidationHandler(MAX_FLUSHES_TO_ONE, true));
        pipeline.addLast(
                "frame",
                new LengthFieldBasedFrameDecoder(config.maxRequestBytes(), 0, Integer.BYTES, 0, Integer.BYTES));
        pipeline.addLast("response", new ResponseEncoder());
        pipeline.addLast("request", new RequestDecoder());
        pipeline.addLast("connection", new Connection(dispatcher, listener, failures));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
        failures.failIfError(cause);
        super.exceptionCaught(context, cause);
    }
}
