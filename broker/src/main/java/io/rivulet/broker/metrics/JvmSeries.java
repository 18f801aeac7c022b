package io.rivulet.broker.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** Memory, collections and threads of the JVM, and what the kernel knows about the process. Stateless. */
final class JvmSeries {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final long BYTES_PER_KIB = 1024;
    private static final Path PROCESS = Path.of("/proc/self");

    private JvmSeries() {}

    static void write(TextWriter text) {
        writeMemory(text);
        writeCollections(text);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        text.only(Metric.THREADS, threads.getThreadCount());
        text.only(Metric.DAEMONS, threads.getDaemonThreadCount());
        text.only(Metric.THREADS_PEAK, threads.getPeakThreadCount());
        writeProcess(text);
    }

    private static void writeMemory(TextWriter text) {
        writeAreas(text, Metric.MEMORY_USED, MemoryUsage::getUsed);
        writeAreas(text, Metric.MEMORY_COMMITTED, MemoryUsage::getCommitted);
        writeAreas(text, Metric.MEMORY_MAX, MemoryUsage::getMax);
        text.head(Metric.POOL_USED);
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            text.sample(pool.getUsage().getUsed(), "pool", pool.getName());
        }
        text.head(Metric.BUFFERS_USED);
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            text.sample(pool.getMemoryUsed(), "pool", pool.getName());
        }
        text.only(Metric.DIRECT_USED, Math.max(0, PlatformDependent.usedDirectMemory()));
    }

    private static void writeAreas(TextWriter text, Metric metric, ToLongFunction<MemoryUsage> fact) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        text.head(metric);
        text.sample(fact.applyAsLong(memory.getHeapMemoryUsage()), "area", "heap");
        text.sample(fact.applyAsLong(memory.getNonHeapMemoryUsage()), "area", "nonheap");
    }

    private static void writeCollections(TextWriter text) {
        text.head(Metric.GC_TIMES);
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            String[] gc = {"gc", collector.getName()};
            text.part("_count", Math.max(0, collector.getCollectionCount()), gc);
            text.part("_sum", Math.max(0, collector.getCollectionTime()) / MILLIS_PER_SECOND, gc);
        }
    }

    private static void writeProcess(TextWriter text) {
        text.only(Metric.START_TIME, ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_PER_SECOND);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            text.only(Metric.CPU_SECONDS, system.getProcessCpuTime() / (double) TimeUnit.SECONDS.toNanos(1));
            text.only(Metric.OPEN_FILES, system.getOpenFileDescriptorCount());
            text.only(Metric.MAX_FILES, system.getMaxFileDescriptorCount());
        }
        text.only(Metric.RESIDENT_BYTES, BYTES_PER_KIB * processFact("status", "VmRSS:"));
        text.only(Metric.DISK_READ, processFact("io", "read_bytes:"));
        text.only(Metric.DISK_WRITTEN, processFact("io", "write_bytes:"));
    }

    /** A number from a file of the kernel about this process; 0 if it is not there. */
    private static long processFact(String file, String key) {
        List<String> lines;
        try {
            lines = Files.readAllLines(PROCESS.resolve(file));
        } catch (IOException e) {
            return 0; // another system, or a container that hides it
        }
        for (String line : lines) {
            if (line.startsWith(key)) {
                return Long.parseLong(
                        line.substring(key.length()).replace("kB", "").strip());
            }
        }
        return 0;
    }
}
