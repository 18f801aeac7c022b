package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of batches over any Netty buffer, without copying. Owned by one thread. Neither a heap buffer nor a
 * buffer of one piece of direct memory costs an object; a slice of the latter costs a view of it, a composite buffer an array of views.
 *
 * <p>Uses the buffer's own NIO view, so no other thread may read the same buffer object meanwhile.
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
