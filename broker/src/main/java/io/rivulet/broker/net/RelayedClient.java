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
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that is relayed, from owner to owner. Each direction has one read at a time: the next one when the other
 * side has taken the last.
 *
 * <table>
 * <caption>States</caption>
 * <tr><td>WAITING</td><td>for an owner, or for the connection to it</td></tr>
 * <tr><td>RELAYED</td><td>its bytes are passed on</td></tr>
 * <tr><td>SILENT</td><td>the connection to the owner has ended while nothing was in flight. It waits for the next
 *     owner when it says something, so that the next owner gets no connection that nobody uses</td></tr>
 * <tr><td>GIVEN</td><td>to another front</td></tr>
 * <tr><td>ENDED</td><td>closed, or soon to be</td></tr>
 * </table>
 *
 * <p>Nothing is in flight if each request has its answer, and both directions are between two frames. That is known in
 * plain text only, and where no login belongs to the owner before; all other clients are closed instead.
 *
 * <p>Owned by: the event loop of the client, which the connection to the owner shares.
 */
final class RelayedClient extends ChannelInboundHandlerAdapter {
    private enum State {
        WAITING,
        RELAYED,
        SILENT,
        GIVEN,
        ENDED
    }

    private static final Logger LOG = LoggerFactory.getLogger(RelayedClient.class);
    private static final int CONNECT_MILLIS = 3_000;
    /** Doubled after each failure. */
    private static final long FIRST_RETRY_MILLIS = 1_000;
    /** Names of handlers. */
    private static final String IDLE = "idle";

    private static final String RELAY = "relay";

    private final Relay relay;
    private final Channel client;
    private final Listener listener;
    private final LongestIdle.Activity activity;
    /** That the channel had before. */
    private final RecvByteBufAllocator buffers;

    private final boolean isPlain;
    /** What was passed on in both directions; of plain text only. */
    private final FrameCount requests = new FrameCount();

    private final FrameCount answers = new FrameCount();

    private State state = State.GIVEN;
    /** To the owner; null if there is none. */
    private @Nullable Channel server;
    /** Was read of the client, and goes to the next owner first. */
    private @Nullable ByteBuf held;
    /** Writes to the owner that have not ended. */
    private int passing;

    private long retryMillis = FIRST_RETRY_MILLIS;
    private @Nullable Future<?> patience;
    private @Nullable Future<?> retry;

    RelayedClient(Relay relay, Channel client, Listener listener, LongestIdle.Activity activity) {
        this.relay = relay;
        this.client = client;
        this.listener = listener;
        this.activity = activity;
        this.buffers = client.config().getRecvByteBufAllocator();
        this.isPlain = listener.tls() == null && listener.sasl() == null;
    }

    Channel channel() {
        return client;
    }

    /** @param idleMillis as of the {@link Relay} */
    void start(long idleMillis) {
        client.config().setAutoRead(false);
        client.config().setRecvByteBufAllocator(new ReadBuffers(this::isTight));
        if (idleMillis > 0) {
            // While a client reads nothing, nothing is read from the owner either, not even its end.
            client.pipeline().addLast(IDLE, new IdleCloser(idleMillis));
        }
        client.pipeline().addLast(RELAY, this);
        client.closeFuture().addListener(closed -> end());
        await();
    }

    /** A channel that was read keeps its kind of buffers, whatever front it is given to. */
    private boolean isTight() {
        return state == State.GIVEN ? buffers instanceof ReadBuffers next && next.isTight() : relay.isTight();
    }

    private void become(State next) {
        relay.countWaiting((next == State.WAITING ? 1 : 0) - (state == State.WAITING ? 1 : 0));
        state = next;
    }

    /** Any thread. What fails closes the client: Netty would only log it. */
    private void onLoop(Runnable step) {
        if (client.eventLoop().inEventLoop()) {
            guarded(step);
        } else {
            client.eventLoop().execute(() -> guarded(step));
        }
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            relay.failures().failIfError(e);
            LOG.warn("A client can't be relayed", e);
            client.close();
        }
    }

    private Future<?> later(Runnable step, long millis) {
        return client.eventLoop().schedule(() -> guarded(step), millis, TimeUnit.MILLISECONDS);
    }

    // ---- without an owner ----

    private void await() {
        if (!client.isOpen()) {
            return;
        }
        become(State.WAITING);
        retryMillis = FIRST_RETRY_MILLIS;
        patience = later(this::giveUp, relay.patienceMillis());
        onLoop(this::begin);
    }

    private void giveUp() {
        if (state == State.WAITING) {
            client.close();
        }
    }

    /** Somebody owns the shard. Any thread. */
    void ownerIsKnown() {
        client.eventLoop().execute(() -> guarded(this::begin));
    }

    private void begin() {
        Relay.Owner owner = relay.owner();
        if (state != State.WAITING || server != null || owner == null) {
            return;
        }
        InetSocketAddress address = owner.listening(listener.name());
        if (address == null) {
            LOG.debug("The owner of the shard has no listener {}", listener.name());
            client.close();
            return;
        }
        ChannelFuture connecting = new Bootstrap()
                .group(client.eventLoop())
                .channelFactory(relay.transport().connecting())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new ReadBuffers(relay::isTight))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new FromOwner())
                .connect(address);
        Channel made = connecting.channel();
        server = made;
        // Without a socket for it, this is another thread.
        connecting.addListener(connected -> onLoop(() -> {
            if (made != server) {
                close(made);
            } else if (connected.isSuccess()) {
                connected(made);
            } else {
                LOG.debug("The owner of the shard can't be reached at {}", address, connected.cause());
                tryLater();
            }
        }));
    }

    /** The owner may have died, and the registry does not know it yet. */
    private void tryLater() {
        server = null;
        cancel(retry);
        retry = later(this::begin, retryMillis);
        retryMillis *= 2;
    }

    // ---- with an owner ----

    private void connected(Channel made) {
        become(State.RELAYED);
        cancelWaits();
        if (!relay.connected(this, made)) {
            return;
        }
        ByteBuf first = held;
        held = null;
        if (first == null) {
            client.read();
        } else {
            pass(first, made);
        }
        made.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        activity.requested(true);
        relay.countBuffered(bytes.capacity());
        Channel to = server;
        if (state == State.RELAYED && to != null) {
            pass(bytes, to);
        } else if (held == null && state != State.ENDED) {
            held = bytes;
            if (state == State.SILENT) {
                await();
            }
        } else {
            release(bytes);
            client.close();
        }
    }

    private void pass(ByteBuf bytes, Channel to) {
        if (isPlain) {
            requests.add(bytes);
        }
        int taken = bytes.capacity();
        passing++;
        to.writeAndFlush(bytes).addListener(written -> {
            relay.countBuffered(-taken);
            passing--;
            if (written.isSuccess()) {
                client.read();
            } else {
                client.close();
            }
        });
    }

    private void passBack(ByteBuf bytes, ChannelHandlerContext from) {
        if (isPlain) {
            answers.add(bytes);
        }
        int taken = bytes.capacity();
        relay.countBuffered(taken);
        client.writeAndFlush(bytes).addListener(written -> {
            relay.countBuffered(-taken);
            if (!written.isSuccess()) {
                client.close();
            } else if (from.channel().isActive()) {
                from.read();
            }
        });
    }

    private boolean isIdle() {
        return isPlain
                && passing == 0
                && requests.isWhole()
                && answers.isWhole()
                && requests.frames() == answers.frames();
    }

    // ---- when the owner changes ----

    private void ownerEnded(Channel ended) {
        if (ended != server || state != State.RELAYED) {
            return;
        }
        server = null;
        if (isIdle()) {
            become(State.SILENT);
        } else {
            // What the owner has said last is sent first.
            become(State.ENDED);
            client.writeAndFlush(client.alloc().buffer(0)).addListener(written -> client.close());
        }
    }

    /** Ends the connection to the owner, and gives the client to the next front if it is another one. Any thread. */
    void handOver(Front next) {
        client.eventLoop().execute(() -> guarded(() -> leave(next)));
    }

    private void leave(Front next) {
        if (state == State.GIVEN) {
            return;
        }
        if (state == State.ENDED || (state == State.RELAYED && !isIdle())) {
            client.close();
            return;
        }
        dropServer();
        if (state == State.RELAYED) {
            become(State.SILENT);
        }
        if (next == relay) {
            begin();
        } else {
            give(next);
        }
    }

    private void give(Front next) {
        become(State.GIVEN);
        cancelWaits();
        relay.forget(this);
        if (client.pipeline().get(IDLE) != null) {
            client.pipeline().remove(IDLE);
        }
        client.pipeline().remove(this);
        client.config().setRecvByteBufAllocator(buffers);
        client.config().setAutoRead(true);
        next.take(client, listener, activity);
        ByteBuf first = held;
        held = null;
        if (first != null) {
            relay.countBuffered(-first.capacity());
            client.pipeline().fireChannelRead(first).fireChannelReadComplete();
        }
    }

    private void end() {
        if (state != State.GIVEN) {
            become(State.ENDED);
        }
        cancelWaits();
        dropServer();
        ByteBuf left = held;
        held = null;
        if (left != null) {
            release(left);
        }
    }

    private void release(ByteBuf bytes) {
        relay.countBuffered(-bytes.capacity());
        bytes.release();
    }

    private void cancelWaits() {
        cancel(patience);
        cancel(retry);
    }

    private static void cancel(@Nullable Future<?> wait) {
        if (wait != null) {
            wait.cancel(false);
        }
    }

    private void dropServer() {
        Channel before = server;
        server = null;
        if (before != null) {
            close(before);
        }
    }

    /** There may have been no socket for it; then it can't even be closed. */
    private static void close(Channel server) {
        if (server.isRegistered()) {
            server.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        broke(context, cause);
    }

    private void broke(ChannelHandlerContext context, Throwable cause) {
        relay.failures().failIfError(cause);
        LOG.debug("A relayed connection broke", cause);
        context.close();
    }

    /** The connection to an owner. What comes when the client has left it means nothing. */
    private final class FromOwner extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (context.channel() == server) {
                passBack(bytes, context);
            } else {
                bytes.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ownerEnded(context.channel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            broke(context, cause);
        }
    }
}
