package io.rivulet.protocol.record;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How many bytes of heap this thread allocates while it does something. */
public final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    public static long bytesOf(Runnable work) {
        long id = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(id);
        work.run();
        return THREADS.getThreadAllocatedBytes(id) - before;
    }
}
