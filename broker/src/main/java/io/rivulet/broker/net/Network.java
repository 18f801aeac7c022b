package io.rivulet.broker.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Event loops, and where their connections come from. A simulation makes connections itself. Thread-safe. */
public interface Network extends AutoCloseable {
    EventLoopGroup eventLoops();

    /** Accept connections. */
    EventLoopGroup acceptors();

    /** Whose sockets the event loops serve. */
    Transport transport();

    /**
     * Listens on the address.
     *
     * @param server how a socket listens, without its event loops
     * @param connections assembles the pipeline of a new connection
     * @return the listening socket; null if there is none
     * @throws IOException if it can't listen
     */
    @Nullable
    Channel listen(ServerBootstrap server, InetSocketAddress address, ChannelInitializer<Channel> connections)
            throws IOException;

    /** Ends the event loops. */
    @Override
    void close();

    /**
     * Sockets of the operating system.
     *
     * @param transport that of both groups
     * @param acceptors accept connections, so that a storm of connects takes its time from the others by the scheduler,
     *     and not in their loops
     */
    static Network sockets(Transport transport, EventLoops acceptors, EventLoops eventLoops) {
        return new Network() {
            @Override
            public Transport transport() {
                return transport;
            }

            @Override
            public EventLoopGroup eventLoops() {
                return eventLoops;
            }

            @Override
            public EventLoopGroup acceptors() {
                return acceptors;
            }

            @Override
            public Channel listen(
                    ServerBootstrap server, InetSocketAddress address, ChannelInitializer<Channel> connections)
                    throws IOException {
                ChannelFuture bound = server.group(acceptors, eventLoops)
                        .channelFactory(transport.listening())
                        .bind(address);
                if (!bound.awaitUninterruptibly(EventLoops.CLOSE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException("the event loop does not respond");
                }
                return bound.syncUninterruptibly().channel();
            }

            @Override
            public void close() {
                acceptors.close();
                eventLoops.close();
            }
        };
    }
}
