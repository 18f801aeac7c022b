package io.rivulet.broker.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.rivulet.broker.api.Dispatcher;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The listening socket and the event loops behind it. Thread-safe. */
public final class BrokerServer implements AutoCloseable {
    private static final int BACKLOG = 512;
    private static final long CLOSE_SECONDS = 5;

    private final EventLoopGroup eventLoops;
    private final Channel listener;

    private BrokerServer(EventLoopGroup eventLoops, Channel listener) {
        this.eventLoops = eventLoops;
        this.listener = listener;
    }

    /** Listens on the address; port 0 takes a free one. */
    public static BrokerServer start(InetSocketAddress address) throws IOException {
        EventLoopGroup eventLoops =
                new MultiThreadIoEventLoopGroup(Runtime.getRuntime().availableProcessors(), NioIoHandler.newFactory());
        try {
            Channel listener = new ServerBootstrap()
                    .group(eventLoops)
                    .channel(NioServerSocketChannel.class)
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(new ConnectionInitializer(new Dispatcher()))
                    .bind(address)
                    .syncUninterruptibly()
                    .channel();
            return new BrokerServer(eventLoops, listener);
        } catch (Throwable e) {
            eventLoops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            throw new IOException("can't listen on " + address + ": " + e.getMessage(), e);
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Returns when the server has been closed. */
    public void awaitClosed() {
        listener.closeFuture().syncUninterruptibly();
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        eventLoops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
