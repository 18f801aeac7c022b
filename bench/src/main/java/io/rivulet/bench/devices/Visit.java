package io.rivulet.bench.devices;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.util.function.Consumer;

/**
 * An open connection of a device that was answered.
 *
 * @param resumed whether its handshake resumed a session
 */
public record Visit(Channel channel, boolean resumed) {
    /** Closes it, as a client does. */
    void end() {
        var unused = channel.close();
    }

    /** Cuts it, as when the device loses power. The kernel resets the connection. */
    void cut(Consumer<Visit> then) {
        channel.closeFuture().addListener(closed -> then.accept(this));
        channel.eventLoop().execute(() -> {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.unsafe().voidPromise());
        });
    }
}
