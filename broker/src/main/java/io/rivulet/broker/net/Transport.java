package io.rivulet.broker.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How event loops ask the kernel about sockets: the JVM's way, or a native library of Netty
 * (docs/decisions/0062-native-transports.md). The jars of the native ones may be missing, so their classes are loaded
 * only when one is asked for. Immutable.
 *
 * @param handlers of event loops
 * @param listening makes sockets that listen, for these event loops
 * @param connecting makes sockets that connect, for these event loops
 */
public record Transport(
        String name,
        IoHandlerFactory handlers,
        ChannelFactory<? extends ServerChannel> listening,
        ChannelFactory<? extends Channel> connecting) {
    public static final Transport NIO =
            new Transport("nio", NioIoHandler.newFactory(), NioServerSocketChannel::new, NioSocketChannel::new);

    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

    /**
     * The transport of this name. The default is the only one that is not logged.
     *
     * @param name a value of {@code rivulet.transport}
     * @throws ConfigException if it is a native one that can't be loaded
     */
    public static Transport of(String name) {
        if (name.equals(NIO.name)) {
            return NIO;
        }
        Transport loaded = load(name);
        LOG.info("Connections are served by {}", loaded.name);
        return loaded;
    }

    private static Transport load(String name) {
        try {
            return name.equals("io_uring") ? IoUringTransport.load() : EpollTransport.load();
        } catch (LinkageError e) {
            Throwable reason = e;
            while (reason.getCause() != null) {
                reason = reason.getCause();
            }
            if (name.equals("auto")) {
                LOG.debug("epoll can't be loaded: {}", reason.toString());
                return NIO;
            }
            throw new ConfigException(
                    BrokerKey.TRANSPORT.key(), name, "nio or auto, because " + name + " can't be loaded: " + reason);
        }
    }
}
