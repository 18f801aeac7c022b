package io.rivulet.protocol.record;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;

/** How many bytes of heap this thread allocates while it does something. */
public final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /** A pooled buffer outside the heap that leak detection does not watch: watching allocates at every access. */
    static ByteBuf unwatched(ByteBuf source) {
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try {
            int length = source.readableBytes();
            return PooledByteBufAllocator.DEFAULT.directBuffer(length).writeBytes(source, source.readerIndex(), length);
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    /**
     * Of work that is to allocate nothing: does it twice, and answers for the second time. In the first the virtual machine queues methods for
     * compilation, and for each class of which that is the first one makes all strings of its constants: thousands of bytes, on the thread
     * that called the method.
     */
    static long bytesOfSecondRun(Runnable work) {
        work.run();
        return bytesOf(work);
    }

    public static long bytesOf(Runnable work) {
        long id = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(id);
        work.run();
        return THREADS.getThreadAllocatedBytes(id) - before;
    }
}
