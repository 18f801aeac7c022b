package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.Future;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.metrics.ServerFacts;
import io.rivulet.broker.sasl.Login;
import io.rivulet.broker.sasl.SaslListener;
import io.rivulet.broker.tls.TlsListener;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Assembles the pipeline of a connection. Thread-safe. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {
    /** The most answers that are written to the socket together. */
    private static final int MAX_FLUSHES_TO_ONE = 64;

    private final ServerContext server;
    private final Listener listener;
    private final @Nullable TlsListener tls;
    private final @Nullable SaslListener sasl;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong opened = new AtomicLong();

    /**
     * @param tls null if connections are not encrypted
     * @param sasl null if clients don't log in
     */
    ConnectionInitializer(
            ServerContext server, Listener listener, @Nullable TlsListener tls, @Nullable SaslListener sasl) {
        this.server = server;
        this.listener = listener;
        this.tls = tls;
        this.sasl = sasl;
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
        server.connections().add(channel);
        long holdMillis = server.quotas().connect(client.getAddress());
        if (holdMillis > 0) {
            closeLater(channel, holdMillis);
            return;
        }
        if (tls != null) {
            tls.encrypt(channel);
        }
        ChannelPipeline pipeline = channel.pipeline();
        long idleMillis = server.config().connections().idleMillis();
        if (idleMillis > 0) {
            pipeline.addLast("idle", new IdleCloser(idleMillis));
        }
        pipeline.addLast("flush", new FlushConsolidationHandler(MAX_FLUSHES_TO_ONE, true));
        ReadGate gate = new ReadGate(channel);
        Login login = sasl == null ? null : sasl.login();
        FrameRules rules = FrameRules.fixed(server.requests(), server.config().maxRequestBytes());
        if (login != null) {
            pipeline.addLast("deadline", new LoginDeadline(login, tls != null, idleMillis));
            rules = new LoginRules(login, Objects.requireNonNull(server.logins()), rules);
        }
        pipeline.addLast("frame", new FrameDecoder(server.routes(), rules, gate));
        pipeline.addLast("response", new ResponseEncoder());
        pipeline.addLast("connection", new Connection(server, listener, login, gate, activity));
    }

    /** Not at once, so that a client that connects again and again does so less often. */
    private static void closeLater(Channel channel, long millis) {
        channel.config().setAutoRead(false);
        Future<?> closing = channel.eventLoop().schedule(() -> channel.close(), millis, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> closing.cancel(false));
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
