package io.rivulet.bench.queues;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What the operating system and the virtual machine say of this process. Stateless. */
final class Machine {
    private Machine() {}

    static String describe() {
        return "%d cores, %d MiB of memory, Java %s, heap at most %d MiB"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        memoryKib("/proc/meminfo", "MemTotal:") >> 10,
                        Runtime.version(),
                        Runtime.getRuntime().maxMemory() >> 20);
    }

    static long residentMib() {
        return memoryKib("/proc/self/status", "VmRSS:") >> 10;
    }

    static long peakResidentMib() {
        return memoryKib("/proc/self/status", "VmHWM:") >> 10;
    }

    /** What objects that are still reachable take. */
    static long liveHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long memoryKib(String file, String key) {
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                if (line.startsWith(key)) {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
        } catch (IOException e) {
            return -1;
        }
        return -1;
    }

    /** Name, count and milliseconds of each collector. */
    static String collections() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        return collectors.stream()
                .map(c -> c.getName() + " " + c.getCollectionCount() + " in " + c.getCollectionTime() + " ms")
                .collect(Collectors.joining(", "));
    }

    /** User and system time of all threads. */
    static double cpuSeconds() {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return system.getProcessCpuTime() / 1e9;
    }
}
