package io.rivulet.protocol.record;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;

/** Measures the heap that this thread allocates. */
public final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /** A pooled buffer outside the heap without leak detection, which would allocate at each access. */
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
     * Runs the work twice and returns the bytes of the second run. In the first run the virtual machine queues methods
     * for compilation and creates the constant strings of classes, on the thread that calls the method.
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
