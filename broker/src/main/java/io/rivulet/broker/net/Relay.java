package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.rivulet.broker.config.Listener;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.LogLimit;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashSet;
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
 * back, whatever they mean. Without an owner a client waits for one, for a while. Thread-safe.
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
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(15);
    /** What is passed on may have so much memory before reads become small. */
    private static final long AMPLE_BYTES = 64 << 20;

    private final Transport transport;
    private final FailureLatch failures;
    private final long idleMillis;
    private final long patienceMillis;
    private final LogLimit loops = LogLimit.aMinute(1);
    /** All of them, by their connection. */
    private final Map<Ends, RelayedClient> clients = new ConcurrentHashMap<>();
    /** By the connection to the owner. */
    private final Map<Ends, RelayedClient> own = new ConcurrentHashMap<>();
    /** Of what was read and not written yet. */
    private final AtomicLong bufferBytes = new AtomicLong();

    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong relayed = new AtomicLong();

    /** Null while nobody else owns the shard. */
    private volatile @Nullable Owner owner;

    /**
     * @param transport that of the clients
     * @param idleMillis a connection that is idle for so long is closed; none is if it is not positive
     */
    public Relay(Transport transport, FailureLatch failures, long idleMillis) {
        this(transport, failures, idleMillis, PATIENCE_MILLIS);
    }

    /** @param patienceMillis how long a client that has something to say waits for an owner */
    Relay(Transport transport, FailureLatch failures, long idleMillis, long patienceMillis) {
        this.transport = transport;
        this.failures = failures;
        this.idleMillis = idleMillis;
        this.patienceMillis = patienceMillis;
    }

    /** Of a connection. Both, because two connections of a machine may begin at the same port. */
    private record Ends(SocketAddress from, SocketAddress to) {
        static Ends of(RelayedClient client) {
            Channel channel = client.channel();
            return new Ends(channel.remoteAddress(), channel.localAddress());
        }
    }

    /** Who owns the shard from now on; null if it is nobody else. Any thread. */
    public void owner(@Nullable Owner now) {
        owner = now;
        if (now != null) {
            clients.values().forEach(RelayedClient::ownerIsKnown);
        }
    }

    /**
     * Ends the connections to the owner. Clients with something in flight are closed; the others are given to the next
     * front, or wait for the next owner if that is this relay. A client that is closed would wait for up to a second
     * before it connects again. Any thread.
     *
     * @return all clients that were relayed or waited: what becomes of them is decided here
     */
    Set<Channel> handOver(Front next) {
        Set<Channel> all = new HashSet<>();
        for (RelayedClient client : clients.values()) {
            all.add(client.channel());
            client.handOver(next);
        }
        return all;
    }

    /** How many connections are passed on to an owner now. */
    public long open() {
        return own.size();
    }

    /** How many connections wait for an owner. */
    public long waiting() {
        return waiting.get();
    }

    /** Of what was read and not written yet, or is held. */
    long bufferedBytes() {
        return bufferBytes.get();
    }

    /** How many connections were passed on to an owner. */
    public long total() {
        return relayed.get();
    }

    @Override
    public void take(Channel channel, Listener listener, LongestIdle.Activity activity) {
        RelayedClient client = new RelayedClient(this, channel, listener, activity);
        Ends ends = Ends.of(client);
        clients.put(ends, client); // before the owner is asked for, so that it hears of the next one
        channel.closeFuture().addListener(closed -> clients.remove(ends, client));
        RelayedClient maker = own.get(ends);
        if (maker != null) {
            closeLoop(client, maker);
        } else {
            client.start(idleMillis);
        }
    }

    // ---- for its clients ----

    @Nullable
    Owner owner() {
        return owner;
    }

    Transport transport() {
        return transport;
    }

    FailureLatch failures() {
        return failures;
    }

    long patienceMillis() {
        return patienceMillis;
    }

    boolean isTight() {
        return bufferBytes.get() > AMPLE_BYTES;
    }

    void countBuffered(int bytes) {
        bufferBytes.addAndGet(bytes);
    }

    void countWaiting(int clients) {
        waiting.addAndGet(clients);
    }

    /** The client is given to another front. */
    void forget(RelayedClient client) {
        clients.remove(Ends.of(client), client);
    }

    /** A client has a connection to the owner. False if it leads to this broker, and is closed. */
    boolean connected(RelayedClient client, Channel server) {
        Ends ends = new Ends(server.localAddress(), server.remoteAddress());
        own.put(ends, client);
        relayed.incrementAndGet();
        server.closeFuture().addListener(closed -> own.remove(ends, client));
        RelayedClient looped = clients.get(ends); // it may have been accepted before that
        if (looped != null) {
            closeLoop(looped, client);
        }
        return looped == null;
    }

    /** Without an end, it would take all file descriptors: each connection makes the next one. */
    private void closeLoop(RelayedClient client, RelayedClient maker) {
        loops.log(more -> LOG.warn(
                "The owner of the shard can't be reached: its advertised address leads to this broker{}", more));
        client.channel().close();
        maker.channel().close();
    }
}
