package io.rivulet.bench.lab;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Collectors;

/** What the operating system and the virtual machine say of the machine and of this process. Stateless. */
public final class Machine {
    public static final double BYTES_PER_MIB = 1 << 20;

    private Machine() {}

    /** What a result must name: cores, memory, Java and what else was running. */
    public static String describe() throws IOException {
        return "%d cores (%s), %,.0f MiB of memory, Java %s, load average before %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        ProcFs.processor(),
                        ProcFs.memoryMib(),
                        Runtime.version(),
                        ProcFs.loadAverage());
    }

    /** The same with the heap of this process, where it is this process that is measured. */
    public static String describeWithHeap() throws IOException {
        return describe() + ", heap at most " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB";
    }

    public static long residentMib() throws IOException {
        return (long) ProcFs.residentMib(ProcessHandle.current().pid());
    }

    public static long peakResidentMib() throws IOException {
        return (long) ProcFs.peakResidentMib(ProcessHandle.current().pid());
    }

    /** What objects that are still reachable take. */
    public static long liveHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Name, count and milliseconds of each collector. */
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
