package io.rivulet.broker.net;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;

/** Sockets by epoll. Stateless. */
final class EpollTransport {
    private EpollTransport() {}

    /** @throws LinkageError if it can't be loaded */
    static Transport load() {
        Epoll.ensureAvailability();
        return new Transport(
                "epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel::new, EpollSocketChannel::new);
    }
}
