package io.rivulet.broker.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.rivulet.broker.config.HostPort;
import io.rivulet.broker.net.EventLoops;
import io.rivulet.broker.net.Network;
import io.rivulet.broker.tls.TlsListener;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens for requests to pages. An event loop of the broker accepts connections; the first one starts the thread that
 * serves all of them. Thread-safe.
 */
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final long BIND_SECONDS = 5;

    private final Network network;
    private final FailureLatch failures;
    private final OpenConnections connections =
            new OpenConnections(Runtime.getRuntime().maxMemory());
    private final List<Channel> listening = new ArrayList<>();
    /** Under {@code this}. Null before the first connection. */
    private @Nullable EventLoops serving;

    public HttpServer(Network network, FailureLatch failures) {
        this.network = network;
        this.failures = failures;
    }

    /**
     * Listens for requests to these pages.
     *
     * @param tls null if connections are not encrypted
     * @return the address, with the port that was free if 0 was asked for
     */
    public synchronized InetSocketAddress listen(HostPort address, Pages pages, @Nullable TlsListener tls)
            throws IOException {
        Channel channel = network.transport().listening().newChannel();
        channel.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
        channel.config().setOption(ChannelOption.SO_REUSEADDR, true);
        channel.pipeline().addLast(new Accepting(pages, tls));
        try {
            await(network.eventLoops().register(channel));
            await(channel.bind(address.socketAddress()));
        } catch (Exception e) {
            var unused = channel.close();
            throw new IOException("can't listen on " + address + ": " + e.getMessage(), e);
        }
        listening.add(channel);
        return (InetSocketAddress) channel.localAddress();
    }

    private static void await(ChannelFuture done) throws IOException {
        if (!done.awaitUninterruptibly(BIND_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the event loop does not respond");
        }
        done.syncUninterruptibly();
    }

    /** Owned by: the event loop of the listening socket. */
    private final class Accepting extends ChannelInboundHandlerAdapter {
        private final Pages pages;
        private final @Nullable TlsListener tls;

        Accepting(Pages pages, @Nullable TlsListener tls) {
            this.pages = pages;
            this.tls = tls;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            Channel channel = (Channel) accepted;
            EventLoops loops = serving();
            if (loops == null || !connections.add(channel)) {
                channel.unsafe().closeForcibly();
                return;
            }
            HttpConnection.prepare(channel, tls, pages, connections, failures);
            loops.register(channel).addListener(registered -> {
                if (!registered.isSuccess()) {
                    channel.unsafe().closeForcibly();
                }
            });
        }

        /** Mostly a lack of file descriptors: it would fail again at once, as long as connections wait. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failures.failIfError(cause);
            ChannelConfig socket = context.channel().config();
            socket.setAutoRead(false);
            var unused = context.executor().schedule(() -> socket.setAutoRead(true), 1, TimeUnit.SECONDS);
        }
    }

    /** Null when the server is closed. */
    private synchronized @Nullable EventLoops serving() {
        if (serving == null && !listening.isEmpty()) {
            serving = new EventLoops("http", 1, network.transport(), failures);
        }
        return serving;
    }

    @Override
    public void close() {
        EventLoops started;
        synchronized (this) {
            listening.forEach(channel -> channel.close().awaitUninterruptibly(BIND_SECONDS, TimeUnit.SECONDS));
            listening.clear();
            started = serving;
        }
        connections.end().forEach(channel -> channel.close().awaitUninterruptibly(BIND_SECONDS, TimeUnit.SECONDS));
        if (started != null) {
            started.close();
        }
    }
}
