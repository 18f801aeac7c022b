package io.rivulet.store.cache;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for I/Os that are longer than a page; Java has no scattering read at an address. Allocated when first needed,
 * up to a fixed number. Without a free buffer a thread reads page by page instead of waiting.
 *
 * <p>Any thread.
 */
final class RunBuffers {
    private final int bufferBytes;
    private final ArrayBlockingQueue<ByteBuffer> free;
    private int unallocated;

    RunBuffers(int count, int bufferBytes) {
        this.bufferBytes = bufferBytes;
        this.free = new ArrayBlockingQueue<>(Math.max(1, count));
        this.unallocated = count;
    }

    int bufferBytes() {
        return bufferBytes;
    }

    @Nullable
    ByteBuffer acquire() {
        ByteBuffer buffer = free.poll();
        return buffer != null ? buffer.clear() : allocate();
    }

    private synchronized @Nullable ByteBuffer allocate() {
        if (unallocated == 0) {
            return null;
        }
        unallocated--;
        return ByteBuffer.allocateDirect(bufferBytes);
    }

    void release(ByteBuffer buffer) {
        free.add(buffer);
    }
}
