package io.rivulet.broker.net;

import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

/** Sockets by io_uring. Stateless. */
final class IoUringTransport {
    private IoUringTransport() {}

    /** @throws LinkageError if it can't be loaded */
    static Transport load() {
        // Otherwise the kernel accepts connections that the Acceptor did not ask for: no limit would hold.
        System.setProperty("io.netty.iouring.acceptMultiShotEnabled", "false");
        IoUring.ensureAvailability();
        return new Transport(
                "io_uring", IoUringIoHandler.newFactory(), IoUringServerSocketChannel::new, IoUringSocketChannel::new);
    }
}
