package io.rivulet.broker.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.concurrent.Future;
import io.rivulet.broker.config.Listener;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.LogLimit;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
    /** Name of a handler. */
    private static final String IDLE = "idle";
    /** What is passed on may have so much memory before reads become small. */
    private static final long AMPLE_BYTES = 64 << 20;

    private final Transport transport;
    private final FailureLatch failures;
    private final long idleMillis;
    private final LogLimit loops = LogLimit.aMinute(1);
    /** Who takes one out decides what becomes of it. */
    private final Map<Channel, Waiting> waiting = new ConcurrentHashMap<>();

    private final Map<Ends, Channel> clients = new ConcurrentHashMap<>();
    /** The connections to owners. */
    private final Set<Ends> own = ConcurrentHashMap.newKeySet();
    /** Of what was read and not written yet. */
    private final AtomicLong bufferBytes = new AtomicLong();

    private final AtomicLong relayed = new AtomicLong();

    /** Null while nobody else owns the shard. */
    private volatile @Nullable Owner owner;

    /**
     * @param transport that of the clients
     * @param idleMillis a connection that is idle for so long is closed; none is if it is not positive
     */
    public Relay(Transport transport, FailureLatch failures, long idleMillis) {
        this.transport = transport;
        this.failures = failures;
        this.idleMillis = idleMillis;
    }

    /** Of a connection. Both, because two connections of a machine may begin at the same port. */
    private record Ends(SocketAddress from, SocketAddress to) {}

    /**
     * A client without an owner. Nothing was read of it.
     *
     * @param buffers that its channel had before
     */
    private record Waiting(
            Channel client, Listener listener, LongestIdle.Activity activity, RecvByteBufAllocator buffers) {}

    /** Who owns the shard from now on; null if it is nobody else. Any thread. */
    public void owner(@Nullable Owner now) {
        owner = now;
        if (now != null) {
            for (Waiting one : waiting.values()) {
                one.client.eventLoop().execute(() -> begin(one));
            }
        }
    }

    /**
     * Gives the clients that wait for an owner to the next front, and returns them: so a client that has come early
     * meets the owner without another connect, before which it would wait for up to a second. Any thread.
     */
    Set<Channel> handOver(Front next) {
        Set<Channel> given = new HashSet<>();
        for (Waiting one : List.copyOf(waiting.values())) {
            if (waiting.remove(one.client, one)) {
                given.add(one.client);
                one.client.eventLoop().execute(() -> give(one, next));
            }
        }
        return given;
    }

    private void give(Waiting one, Front next) {
        Channel client = one.client;
        try {
            clients.remove(endsOf(client), client);
            if (client.pipeline().get(IDLE) != null) {
                client.pipeline().remove(IDLE);
            }
            client.config().setRecvByteBufAllocator(one.buffers);
            client.config().setAutoRead(true);
            next.take(client, one.listener, one.activity);
        } catch (RuntimeException | Error e) {
            closeAfter(e, client);
        }
    }

    private static Ends endsOf(Channel client) {
        return new Ends(client.remoteAddress(), client.localAddress());
    }

    /** Netty would only log it, and the client would stay for ever. */
    private void closeAfter(Throwable failure, Channel client) {
        failures.failIfError(failure);
        LOG.warn("A client can't be relayed", failure);
        client.close();
    }

    /** How many connections are passed on to an owner now. */
    public long open() {
        return own.size();
    }

    /** How many connections wait for an owner. */
    public long waiting() {
        return waiting.size();
    }

    /** How many connections were passed on to an owner. */
    public long total() {
        return relayed.get();
    }

    @Override
    public void take(Channel client, Listener listener, LongestIdle.Activity activity) {
        Waiting one = new Waiting(client, listener, activity, client.config().getRecvByteBufAllocator());
        client.config().setAutoRead(false);
        client.config().setRecvByteBufAllocator(new ReadBuffers(this::isTight));
        if (idleMillis > 0) {
            // While a client reads nothing, nothing is read from the owner either, not even its end.
            client.pipeline().addLast(IDLE, new IdleCloser(idleMillis));
        }
        Ends ends = endsOf(client);
        waiting.put(client, one);
        clients.put(ends, client);
        Future<?> end = client.eventLoop().schedule(() -> giveUp(one), PATIENCE_SECONDS, TimeUnit.SECONDS);
        client.closeFuture().addListener(closed -> {
            waiting.remove(client, one);
            clients.remove(ends, client);
            end.cancel(false);
        });
        if (own.contains(ends)) {
            closeLoop(client);
        } else {
            begin(one);
        }
    }

    private boolean isTight() {
        return bufferBytes.get() > AMPLE_BYTES;
    }

    private void giveUp(Waiting one) {
        if (one.equals(waiting.get(one.client))) {
            one.client.close();
        }
    }

    /** Once for each client: the map decides. */
    private void begin(Waiting one) {
        if (owner == null || !waiting.remove(one.client, one)) {
            return;
        }
        Owner now = owner; // after that: whoever is not waiting any more is closed when the owner changes
        if (now == null) {
            waiting.put(one.client, one);
            begin(one);
            return;
        }
        try {
            connect(one, now);
        } catch (RuntimeException | Error e) {
            closeAfter(e, one.client);
        }
    }

    private void connect(Waiting one, Owner to) {
        InetSocketAddress address = to.listening(one.listener.name());
        if (address == null) {
            LOG.debug("The owner of the shard has no listener {}", one.listener.name());
            one.client.close();
            return;
        }
        ChannelFuture connecting = new Bootstrap()
                .group(one.client.eventLoop())
                .channelFactory(transport.connecting())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new ReadBuffers(this::isTight))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new Passing(one.client, null))
                .connect(address);
        Channel server = connecting.channel();
        if (server.isRegistered()) { // otherwise there was no socket for it, and it can't even be closed
            one.client.pipeline().addLast("relay", new Passing(server, one.activity));
            one.client.closeFuture().addListener(closed -> server.close());
        }
        connecting.addListener(connected -> {
            if (connected.isSuccess()) {
                connected(one.client, server);
            } else {
                LOG.debug("The owner of the shard can't be reached at {}", address, connected.cause());
                one.client.close();
            }
        });
    }

    private void connected(Channel client, Channel server) {
        Ends ends = new Ends(server.localAddress(), server.remoteAddress());
        own.add(ends);
        relayed.incrementAndGet();
        server.closeFuture().addListener(closed -> own.remove(ends));
        Channel looped = clients.get(ends); // it may have been accepted before that
        if (looped != null) {
            closeLoop(looped);
        }
        client.read();
        server.read();
    }

    /** Without an end, it would take all file descriptors: each connection makes the next one. */
    private void closeLoop(Channel client) {
        loops.log(more -> LOG.warn(
                "The owner of the shard can't be reached: its advertised address leads to this broker{}", more));
        client.close();
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
            int taken = bytes.capacity();
            bufferBytes.addAndGet(taken);
            other.writeAndFlush(bytes).addListener(written -> {
                bufferBytes.addAndGet(-taken);
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
