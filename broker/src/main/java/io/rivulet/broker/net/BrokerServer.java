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
import io.rivulet.broker.call.LongRequests;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConnectionSettings;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.metrics.RequestTimes;
import io.rivulet.broker.metrics.ServerFacts;
import io.rivulet.broker.quota.ClientQuotas;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
    private final ListenerSecurity security;
    private final Network network;
    private final List<Channel> listening = new ArrayList<>();
    private final List<ConnectionInitializer> initializers = new ArrayList<>();

    private BrokerServer(Network network, ServerContext context, ListenerSecurity security) {
        this.network = network;
        this.context = context;
        this.security = security;
    }

    /**
     * Listens on all listeners of the configuration.
     *
     * @param limits the limits of connections, which may change
     * @param times what is counted of calls; null if nothing is counted
     */
    public static BrokerServer start(
            BrokerConfig config,
            Network network,
            ListenerSecurity security,
            Supplier<ConnectionSettings> limits,
            RouteTable routes,
            LongRequests longRequests,
            ClientQuotas quotas,
            @Nullable RequestTimes times,
            Environment environment)
            throws IOException {
        LongSupplier nanos = environment.clock()::nanos;
        ServerContext context = new ServerContext(
                config,
                routes,
                longRequests,
                new DefaultChannelGroup("connections", GlobalEventExecutor.INSTANCE),
                new ConnectionLimits(limits, nanos),
                new RequestMemory(
                        config.requestBytes(), config.maxRequestBytes(), config.requestPatienceMillis(), nanos),
                config.loginBytes() == 0 ? null : loginMemory(config, nanos),
                new ResponseMemory(config.shortAnswerBytes(), config.responsePatienceMillis(), nanos),
                times,
                new ClosingLog(nanos),
                new SlowRequests(config.slowRequestMillis(), nanos),
                security.accessControl(),
                quotas,
                environment.failures());
        BrokerServer server = new BrokerServer(network, context, security);
        try {
            for (Listener listener : config.listeners()) {
                server.listen(listener);
            }
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static RequestMemory loginMemory(BrokerConfig config, LongSupplier nanos) {
        return new RequestMemory(
                config.loginBytes(), config.maxLoginRequestBytes(), config.requestPatienceMillis(), nanos);
    }

    private void listen(Listener listener) throws IOException {
        ConnectionInitializer initializer = new ConnectionInitializer(
                context,
                listener,
                security.encryption().find(listener.name()),
                security.logins().find(listener.name()));
        InetSocketAddress address = listener.host().isEmpty()
                ? new InetSocketAddress(listener.port())
                : new InetSocketAddress(listener.host(), listener.port());
        try {
            ServerBootstrap server = new ServerBootstrap()
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .option(ChannelOption.RECVBUF_ALLOCATOR, ONE_A_READ)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.RECVBUF_ALLOCATOR, new ReadBuffers(context.requests()))
                    .handler(new Acceptor(listener.name(), context.limits(), context.failures()))
                    .childHandler(initializer);
            // Otherwise the kernel buffers up to 4 MiB of answers for each client that does not read them.
            int sendBufferBytes = context.config().connections().sendBufferBytes();
            if (sendBufferBytes > 0) {
                server.childOption(ChannelOption.SO_SNDBUF, sendBufferBytes);
            }
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
        return security.encryption().certificateEnds();
    }

    @Override
    public List<Waits> waits() {
        List<Waits> waits = new ArrayList<>();
        context.quotas().forEachWait((reason, calls, millis) -> waits.add(new Waits(reason, calls, millis)));
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
