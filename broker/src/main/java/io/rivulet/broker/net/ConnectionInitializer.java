package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.metrics.ServerFacts;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Counts and limits the connections of a listener. Thread-safe. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {
    private final ServerContext server;
    private final Listener listener;
    private final Supplier<Front> front;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong opened = new AtomicLong();

    /** @param front what a connection meets now; asked when it is among the connections of the server */
    ConnectionInitializer(ServerContext server, Listener listener, Supplier<Front> front) {
        this.server = server;
        this.listener = listener;
        this.front = front;
    }

    @Override
    protected void initChannel(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress client)) {
            ChannelFuture unused = channel.close(); // the client has already disconnected
            return;
        }
        String refusal = server.limits().opened(client.getAddress(), this::closeIdle);
        if (refusal != null) {
            server.limits().warn(client, refusal);
            ChannelFuture unused = channel.close();
            return;
        }
        LongestIdle.Activity activity = server.limits().idle().add(channel);
        // Netty would only log an exception here, and the connection would be counted for ever.
        Runnable closing = server.failures().guarded(() -> {
            open.getAndDecrement();
            server.limits().idle().remove(activity);
            server.limits().closed(client.getAddress());
        });
        open.getAndIncrement();
        opened.getAndIncrement();
        channel.closeFuture().addListener(closed -> closing.run());
        limitSendBuffer(channel);
        server.connections().add(channel);
        front.get().take(channel, listener, activity);
    }

    /** Otherwise the kernel buffers up to 4 MiB of answers for each client that does not read them. */
    private void limitSendBuffer(Channel channel) {
        int others = server.limits().open() - 1;
        int bytes = server.config().connections().sendBufferBytes(others);
        if (bytes > 0) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, bytes);
        }
    }

    /** The connections of the listener. Any thread. */
    ServerFacts.Connections counts() {
        return new ServerFacts.Connections(listener.name(), open.get(), opened.get());
    }

    private void closeIdle(Channel longestIdle) {
        server.closings().refused(longestIdle.remoteAddress(), "it is idle the longest, and max.connections are open");
        longestIdle.eventLoop().execute(longestIdle::close);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
        server.failures().failIfError(cause);
        super.exceptionCaught(context, cause);
    }
}
