package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.Future;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.sasl.Login;
import io.rivulet.broker.sasl.SaslListener;
import io.rivulet.broker.tls.TlsListener;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Requests are answered. Immutable. */
record Answering(ServerContext server, Service service) implements Front {
    /** The most answers that are written to the socket together. */
    private static final int MAX_FLUSHES_TO_ONE = 64;

    @Override
    public void take(Channel channel, Listener listener, LongestIdle.Activity activity) {
        long holdMillis = service.quotas().connect(((InetSocketAddress) channel.remoteAddress()).getAddress());
        if (holdMillis > 0) {
            closeLater(channel, holdMillis);
            return;
        }
        TlsListener tls = service.security().encryption().find(listener.name());
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
        SaslListener sasl = service.security().logins().find(listener.name());
        Login login = sasl == null ? null : sasl.login();
        FrameRules rules = FrameRules.fixed(server.requests(), server.config().maxRequestBytes());
        if (login != null) {
            pipeline.addLast("deadline", new LoginDeadline(login, tls != null, idleMillis));
            rules = new LoginRules(login, Objects.requireNonNull(server.logins()), rules);
        }
        pipeline.addLast("frame", new FrameDecoder(service.routes(), rules, gate));
        pipeline.addLast("response", new ResponseEncoder());
        pipeline.addLast("connection", new Connection(server, service, listener, login, gate, activity));
    }

    /** Not at once, so that a client that connects again and again does so less often. */
    private static void closeLater(Channel channel, long millis) {
        channel.config().setAutoRead(false);
        Future<?> closing = channel.eventLoop().schedule(() -> channel.close(), millis, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> closing.cancel(false));
    }
}
