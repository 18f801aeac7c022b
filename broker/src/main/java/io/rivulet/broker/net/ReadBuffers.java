package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.BooleanSupplier;

/**
 * Sizes the buffers that sockets are read into: as large as the last reads, up to 64 KiB. While memory is tight,
 * buffers are small, because each connection that waits keeps one. Thread-safe.
 */
final class ReadBuffers implements RecvByteBufAllocator {
    private static final int TIGHT_BYTES = 2 << 10;

    private final RecvByteBufAllocator ordinary = new AdaptiveRecvByteBufAllocator();
    private final BooleanSupplier isTight;

    ReadBuffers(BooleanSupplier isTight) {
        this.isTight = isTight;
    }

    boolean isTight() {
        return isTight.getAsBoolean();
    }

    @Override
    @SuppressWarnings("deprecation") // the replacement is internal to Netty
    public Handle newHandle() {
        return new Sized((ExtendedHandle) ordinary.newHandle());
    }

    /** Native transports take no other kind of handle than an extended one. Owned by: the connection's event loop. */
    private final class Sized extends DelegatingHandle implements ExtendedHandle {
        Sized(ExtendedHandle ordinary) {
            super(ordinary);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return isTight() ? allocator.ioBuffer(TIGHT_BYTES) : super.allocate(allocator);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier mayHaveMore) {
            return ((ExtendedHandle) delegate()).continueReading(mayHaveMore);
        }
    }
}
