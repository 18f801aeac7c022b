package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of batches over any Netty buffer, without a copy. Owned by one thread. A heap buffer or a whole direct
 * buffer allocates nothing. A slice of a direct buffer allocates a view; a composite buffer allocates an array of
 * views.
 *
 * <p>It uses the NIO view of the buffer, so no other thread may read the same buffer object at the same time.
 */
final class Crc32C {
    private final CRC32C crc = new CRC32C();

    int compute(ByteBuf buffer, int index, int length) {
        crc.reset();
        if (buffer.hasArray()) {
            crc.update(buffer.array(), buffer.arrayOffset() + index, length);
        } else if (buffer.nioBufferCount() == 1) {
            crc.update(buffer.internalNioBuffer(index, length));
        } else {
            for (ByteBuffer part : buffer.nioBuffers(index, length)) {
                crc.update(part);
            }
        }
        return (int) crc.getValue();
    }
}
