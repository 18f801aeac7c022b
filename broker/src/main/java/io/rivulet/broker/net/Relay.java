package io.rivulet.broker.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.rivulet.broker.config.Listener;
import io.rivulet.store.failure.FailureLatch;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects clients through to the broker that owns the shard: their bytes go to its listener of the same name, and
 * back, whatever they mean. Without an owner a connection waits for one, for a while. Thread-safe.
 */
public final class Relay implements Front {
    /** Where the owner listens. */
    @FunctionalInterface
    public interface Owner {
        /** Null if it has no listener of this name. */
        @Nullable
        InetSocketAddress listening(String listener);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final long PATIENCE_SECONDS = 15;
    private static final int CONNECT_MILLIS = 3_000;

    private final FailureLatch failures;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    /** Null while nobody else owns the shard. */
    private volatile @Nullable Owner owner;

    public Relay(FailureLatch failures) {
        this.failures = failures;
    }

    /** A client without an owner. */
    private record Waiting(Channel client, Listener listener, LongestIdle.Activity activity) {}

    /** Who owns the shard from now on; null if it is nobody else. Any thread. */
    public void owner(@Nullable Owner now) {
        owner = now;
        if (now != null) {
            for (Waiting one : waiting) {
                one.client.eventLoop().execute(() -> begin(one));
            }
        }
    }

    @Override
    public void take(Channel client, Listener listener, LongestIdle.Activity activity) {
        client.config().setAutoRead(false);
        Waiting one = new Waiting(client, listener, activity);
        waiting.add(one);
        Future<?> end = client.eventLoop().schedule(() -> giveUp(one), PATIENCE_SECONDS, TimeUnit.SECONDS);
        client.closeFuture().addListener(closed -> {
            waiting.remove(one);
            end.cancel(false);
        });
        begin(one);
    }

    private void giveUp(Waiting one) {
        if (waiting.contains(one)) {
            one.client.close();
        }
    }

    /** Once for each client: the set decides. */
    private void begin(Waiting one) {
        Owner now = owner;
        if (now == null || !waiting.remove(one)) {
            return;
        }
        InetSocketAddress address = now.listening(one.listener.name());
        if (address == null) {
            LOG.debug("The owner of the shard has no listener {}", one.listener.name());
            one.client.close();
            return;
        }
        ChannelFuture connecting = new Bootstrap()
                .group(one.client.eventLoop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new Passing(one.client, null))
                .connect(address);
        Channel server = connecting.channel();
        one.client.pipeline().addLast("relay", new Passing(server, one.activity));
        one.client.closeFuture().addListener(closed -> server.close());
        connecting.addListener(connected -> {
            if (connected.isSuccess()) {
                one.client.read();
                server.read();
            } else {
                LOG.debug("The owner of the shard can't be reached at {}", address, connected.cause());
                one.client.close();
            }
        });
    }

    /** Passes bytes on, one read at a time: the next one when the other side has taken the last. */
    private final class Passing extends ChannelInboundHandlerAdapter {
        private final Channel other;
        private final LongestIdle.@Nullable Activity activity;

        Passing(Channel other, LongestIdle.@Nullable Activity activity) {
            this.other = other;
            this.activity = activity;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (activity != null) {
                activity.requested(true);
            }
            other.writeAndFlush(bytes).addListener(written -> {
                if (written.isSuccess()) {
                    context.read();
                } else {
                    context.close();
                }
            });
        }

        /** What was passed on before is sent first. */
        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (other.isActive()) {
                other.writeAndFlush(other.alloc().buffer(0)).addListener(written -> other.close());
            } else {
                other.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failures.failIfError(cause);
            LOG.debug("A relayed connection broke", cause);
            context.close();
        }
    }
}
