package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.rivulet.broker.api.Dispatcher;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.store.failure.FailureLatch;
import java.net.InetSocketAddress;

/** The one place where a connection's pipeline is put together. Thread-safe. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {
    /** Answers that are ready together go to the socket together. */
    private static final int MAX_FLUSHES_TO_ONE = 64;

    private final BrokerConfig config;
    private final Listener listener;
    private final Dispatcher dispatcher;
    /** All connections of all listeners. */
    private final ChannelGroup connections;

    private final ConnectionLimits limits;
    private final RequestMemory memory;
    /** Of short answers. */
    private final ResponseMemory answers;

    private final ClosingLog closings;
    private final FailureLatch failures;

    ConnectionInitializer(
            BrokerConfig config,
            Listener listener,
            Dispatcher dispatcher,
            ChannelGroup connections,
            ConnectionLimits limits,
            RequestMemory memory,
            ResponseMemory answers,
            ClosingLog closings,
            FailureLatch failures) {
        this.config = config;
        this.listener = listener;
        this.dispatcher = dispatcher;
        this.connections = connections;
        this.limits = limits;
        this.memory = memory;
        this.answers = answers;
        this.closings = closings;
        this.failures = failures;
    }

    @Override
    protected void initChannel(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress client)) {
            ChannelFuture unused = channel.close(); // it has gone already
            return;
        }
        String refusal = limits.opened(client.getAddress());
        if (refusal != null) {
            limits.warn(client, refusal);
            ChannelFuture unused = channel.close();
            return;
        }
        // Netty would only log what is thrown there, and the connection would count for ever.
        Runnable closing = failures.guarded(() -> limits.closed(client.getAddress()));
        channel.closeFuture().addListener(closed -> closing.run());
        connections.add(channel);
        ChannelPipeline pipeline = channel.pipeline();
        if (config.connections().idleMillis() > 0) {
            pipeline.addLast("idle", new IdleCloser(config.connections().idleMillis()));
        }
        pipeline.addLast("flush", new FlushConsolidationHandler(MAX_FLUSHES_TO_ONE, true));
        ReadGate gate = new ReadGate(channel);
        pipeline.addLast("frame", new FrameDecoder(memory, gate, config.maxRequestBytes()));
        pipeline.addLast("response", new ResponseEncoder());
        pipeline.addLast("connection", new Connection(dispatcher, listener, memory, gate, answers, closings, failures));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
        failures.failIfError(cause);
        super.exceptionCaught(context, cause);
    }
}
