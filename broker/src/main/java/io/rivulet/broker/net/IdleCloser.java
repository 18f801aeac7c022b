package io.rivulet.broker.net;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.concurrent.TimeUnit;

/** Closes a connection that is idle for connections.max.idle.ms. */
final class IdleCloser extends IdleStateHandler {
    IdleCloser(long idleMillis) {
        super(0, 0, idleMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
        ChannelFuture unused = context.close();
    }
}
