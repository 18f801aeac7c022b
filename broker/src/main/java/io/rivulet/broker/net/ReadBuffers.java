package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/**
 * Sizes the buffers that sockets are read into: as large as the last reads, up to 64 KiB. While the memory of requests
 * is used up, buffers are small, because each connection that waits for memory keeps one. Thread-safe.
 */
final class ReadBuffers implements RecvByteBufAllocator {
    private static final int TIGHT_BYTES = 2 << 10;

    private final RecvByteBufAllocator ordinary = new AdaptiveRecvByteBufAllocator();
    private final RequestMemory memory;

    ReadBuffers(RequestMemory memory) {
        this.memory = memory;
    }

    @Override
    @SuppressWarnings("deprecation") // the replacement is internal to Netty
    public Handle newHandle() {
        return new DelegatingHandle(ordinary.newHandle()) {
            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                return memory.isTight() ? allocator.ioBuffer(TIGHT_BYTES) : super.allocate(allocator);
            }
        };
    }
}
