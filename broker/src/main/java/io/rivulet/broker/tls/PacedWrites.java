package io.rivulet.broker.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Passes answers on to be encrypted while the client reads them, in slices. Netty encrypts at once whatever it gets, so
 * an answer that a client does not read would take its memory twice.
 *
 * <p>Memory: none of its own; what waits is charged where it was made. Owned by: the event loop of the connection.
 */
final class PacedWrites extends ChannelDuplexHandler {
    /** Four records of TLS. */
    private static final int SLICE_BYTES = 64 << 10;

    private record Waiting(ByteBuf bytes, ChannelPromise promise) {}

    private final Deque<Waiting> queue = new ArrayDeque<>();
    /** How many of the queue are before the last flush. */
    private int flushed;

    private boolean passing;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        queue.addLast(new Waiting((ByteBuf) message, promise));
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        flushed = queue.size();
        pass(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        pass(context);
        context.fireChannelWritabilityChanged();
    }

    private void pass(ChannelHandlerContext context) {
        if (passing) {
            return; // a write changed the writability
        }
        passing = true;
        try {
            while (flushed > 0 && context.channel().isWritable()) {
                passSlices(context);
                context.flush();
            }
        } finally {
            passing = false;
        }
    }

    private void passSlices(ChannelHandlerContext context) {
        int left = SLICE_BYTES;
        while (flushed > 0 && left > 0) {
            Waiting first = queue.getFirst();
            int bytes = first.bytes().readableBytes();
            if (bytes > left) {
                var unused = context.write(first.bytes().readRetainedSlice(left));
                return;
            }
            left -= bytes;
            queue.removeFirst();
            flushed--;
            var unused = context.write(first.bytes(), first.promise());
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        flushed = 0;
        for (Waiting each = queue.poll(); each != null; each = queue.poll()) {
            each.bytes().release();
            each.promise().tryFailure(new ClosedChannelException());
        }
    }
}
