package io.rivulet.bench.lab;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Collectors;

/** Describes the machine and this process. Stateless. */
public final class Machine {
    public static final double BYTES_PER_MIB = 1 << 20;

    private Machine() {}

    /** What each result must name: cores, memory, Java and the load of the machine. */
    public static String describe() throws IOException {
        return "%d cores (%s), %,.0f MiB of memory, Java %s, load average before %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        ProcFs.processor(),
                        ProcFs.memoryMib(),
                        Runtime.version(),
                        ProcFs.loadAverage());
    }

    /** The same with the heap of this process, for benchmarks that measure this process. */
    public static String describeWithHeap() throws IOException {
        return describe() + ", heap at most " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB";
    }

    public static long residentMib() throws IOException {
        return (long) ProcFs.residentMib(ProcessHandle.current().pid());
    }

    public static long peakResidentMib() throws IOException {
        return (long) ProcFs.peakResidentMib(ProcessHandle.current().pid());
    }

    /** Bytes of all reachable objects, after a full collection. */
    public static long liveHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Name, count and duration of each collector's runs. */
    public static String collections() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        return collectors.stream()
                .map(c -> c.getName() + " " + c.getCollectionCount() + " in " + c.getCollectionTime() + " ms")
                .collect(Collectors.joining(", "));
    }

    /** User and system time of all threads. */
    public static double cpuSeconds() {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return system.getProcessCpuTime() / 1e9;
    }
}
