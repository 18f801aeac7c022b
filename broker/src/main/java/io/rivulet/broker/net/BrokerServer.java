package io.rivulet.broker.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConnectionSettings;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.metrics.RequestTimes;
import io.rivulet.broker.metrics.ServerFacts;
import io.rivulet.broker.tls.Encryption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The listening sockets and their connections. Closed first, so that no new requests arrive; the event loops go on
 * until the calls in progress have ended. Thread-safe.
 */
public final class BrokerServer implements AutoCloseable, ServerFacts {
    /** What Linux allows by default. A client whose connect finds no room tries again only after a second. */
    private static final int BACKLOG = 4096;

    private static final RecvByteBufAllocator ONE_A_READ =
            new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(1);

    private static final long LAST_ANSWERS_MILLIS = 250;

    private final ServerContext context;
    private final Encryption encryption;
    private final Network network;
    private final List<Channel> listening = new ArrayList<>();
    private final List<ConnectionInitializer> initializers = new ArrayList<>();

    private final ConnectionSettings limitsOfRelay;

    private volatile Front front;
    /** Null while nothing is answered here. */
    private volatile @Nullable Service service;

    private BrokerServer(
            BrokerConfig config,
            Network network,
            Encryption encryption,
            @Nullable RequestTimes times,
            Environment environment,
            Function<ServerContext, Front> front,
            @Nullable Service service) {
        this.network = network;
        this.encryption = encryption;
        this.service = service;
        this.limitsOfRelay = config.connections().ofRelay();
        this.context = context(config, this::limits, times, environment);
        this.front = front.apply(context);
    }

    private ConnectionSettings limits() {
        Service answering = service;
        return answering == null ? limitsOfRelay : answering.limits().get();
    }

    /**
     * Listens on all listeners of the configuration.
     *
     * @param times what is counted of calls; null if nothing is counted
     */
    public static BrokerServer start(
            BrokerConfig config,
            Network network,
            Service service,
            @Nullable RequestTimes times,
            Environment environment)
            throws IOException {
        BrokerServer server = new BrokerServer(
                config,
                network,
                service.security().encryption(),
                times,
                environment,
                context -> new Answering(context, service),
                service);
        server.listen(config);
        return server;
    }

    /**
     * Listens, and relays connections until {@link #show}.
     *
     * @param times what is counted of calls; null if nothing is counted
     */
    public static BrokerServer start(
            BrokerConfig config,
            Network network,
            Encryption encryption,
            Relay relay,
            @Nullable RequestTimes times,
            Environment environment)
            throws IOException {
        BrokerServer server = new BrokerServer(config, network, encryption, times, environment, context -> relay, null);
        server.listen(config);
        return server;
    }

    private static ServerContext context(
            BrokerConfig config,
            Supplier<ConnectionSettings> limits,
            @Nullable RequestTimes times,
            Environment environment) {
        LongSupplier nanos = environment.clock()::nanos;
        return new ServerContext(
                config,
                new DefaultChannelGroup("connections", GlobalEventExecutor.INSTANCE),
                new ConnectionLimits(limits, nanos),
                new RequestMemory(
                        config.requestBytes(), config.maxRequestBytes(), config.requestPatienceMillis(), nanos),
                config.loginBytes() == 0 ? null : loginMemory(config, nanos),
                new ResponseMemory(config.shortAnswerBytes(), config.responsePatienceMillis(), nanos),
                times,
                new ClosingLog(nanos),
                new SlowRequests(config.slowRequestMillis(), nanos),
                environment.failures());
    }

    private void listen(BrokerConfig config) throws IOException {
        try {
            for (Listener listener : config.listeners()) {
                listen(listener);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    // ---- who answers ----

    /**
     * Lets the service answer clients from now on. Closes the connections that are open, except relayed ones with
     * nothing in flight. Any thread.
     */
    public void show(Service next) {
        change(new Answering(context, next), next);
    }

    /**
     * Relays connections from now on, and closes those that are open, except relayed ones with nothing in flight. Any
     * thread.
     */
    public void show(Relay relay) {
        change(relay, null);
    }

    /** A connection is in the group before it asks for its front: so none of the front before is left. */
    private void change(Front next, @Nullable Service answering) {
        Front before = front;
        front = next;
        service = answering;
        Set<Channel> relayed = before instanceof Relay relay ? relay.handOver(next) : Set.of();
        context.connections().close(channel -> !relayed.contains(channel));
    }

    private static RequestMemory loginMemory(BrokerConfig config, LongSupplier nanos) {
        return new RequestMemory(
                config.loginBytes(), config.maxLoginRequestBytes(), config.requestPatienceMillis(), nanos);
    }

    private void listen(Listener listener) throws IOException {
        ConnectionInitializer initializer = new ConnectionInitializer(context, listener, () -> front);
        InetSocketAddress address = listener.host().isEmpty()
                ? new InetSocketAddress(listener.port())
                : new InetSocketAddress(listener.host(), listener.port());
        try {
            ServerBootstrap server = new ServerBootstrap()
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .option(ChannelOption.RECVBUF_ALLOCATOR, ONE_A_READ)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.RECVBUF_ALLOCATOR, new ReadBuffers(context.requests()::isTight))
                    .handler(new Acceptor(listener.name(), context.limits(), context.failures()))
                    .childHandler(initializer);
            Channel bound = network.listen(server, address, initializer);
            if (bound != null) {
                listening.add(bound);
            }
            initializers.add(initializer);
        } catch (Exception e) {
            throw new IOException(
                    "can't listen on " + listener.host() + ":" + listener.port() + ": " + e.getMessage(), e);
        }
    }

    /** The addresses of the listeners, in the order of the configuration. */
    public List<InetSocketAddress> addresses() {
        return listening.stream()
                .map(channel -> (InetSocketAddress) channel.localAddress())
                .toList();
    }

    @Override
    public List<Connections> connections() {
        return initializers.stream().map(ConnectionInitializer::counts).toList();
    }

    @Override
    public Map<String, Instant> certificateEnds() {
        return encryption.certificateEnds();
    }

    @Override
    public List<Waits> waits() {
        List<Waits> waits = new ArrayList<>();
        Service answering = service;
        if (answering != null) {
            answering.quotas().forEachWait((reason, calls, millis) -> waits.add(new Waits(reason, calls, millis)));
        }
        return waits;
    }

    @Override
    public List<Long> eventLoopThreads() {
        List<Long> ids = new ArrayList<>();
        for (EventExecutor loop : network.eventLoops()) {
            if (loop instanceof SingleThreadEventExecutor thread) {
                ids.add(thread.threadProperties().id());
            }
        }
        return ids;
    }

    /** Visits the client of each open connection, in no order. With many of them it takes long. */
    public void clients(Consumer<ConnectedClient> visitor) {
        for (Channel channel : context.connections()) {
            Connection connection = channel.pipeline().get(Connection.class);
            if (connection != null) {
                visitor.accept(connection.describe(channel));
            }
        }
    }

    /** Stops accepting connections, and closes the open ones. */
    @Override
    public void close() {
        listening.forEach(channel -> channel.close().awaitUninterruptibly(EventLoops.CLOSE_SECONDS, TimeUnit.SECONDS));
        closeConnections();
    }

    /** Closes the connections that are open. Returns when none of them calls anything any more. */
    public void closeConnections() {
        context.connections().close().awaitUninterruptibly(EventLoops.CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Called when the broker has failed. Closes connections after a moment, so the last answers are sent. Does not
     * block.
     */
    public void stopServing() {
        network.eventLoops()
                .next()
                .schedule(
                        () -> {
                            listening.forEach(Channel::close);
                            context.connections().close();
                        },
                        LAST_ANSWERS_MILLIS,
                        TimeUnit.MILLISECONDS);
    }
}
