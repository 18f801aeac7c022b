package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads Linux's counters of processes and of the machine. Stateless. */
public final class ProcFs {
    /** USER_HZ: 100 on all usual Linux systems. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;
    private static final int STEAL = 8;

    private ProcFs() {}

    /** User and system time of all threads of a process so far. */
    public static double cpuSeconds(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
        // The name is in parentheses and may contain spaces.
        String[] fields = line.substring(line.lastIndexOf(')') + 2).strip().split(" ");
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
    }

    static double residentMib(long pid) throws IOException {
        return number("/proc/" + pid + "/status", "VmRSS:") / 1024.0;
    }

    static double anonymousMib(long pid) throws IOException {
        return number("/proc/" + pid + "/status", "RssAnon:") / 1024.0;
    }

    static double peakResidentMib(long pid) throws IOException {
        return number("/proc/" + pid + "/status", "VmHWM:") / 1024.0;
    }

    static int threads(long pid) throws IOException {
        return (int) number("/proc/" + pid + "/status", "Threads:");
    }

    /** Resets the peak of the resident memory to what is resident now. */
    static void resetPeakResident(long pid) throws IOException {
        Files.writeString(Path.of("/proc/" + pid + "/clear_refs"), "5");
    }

    static double memoryMib() throws IOException {
        return number("/proc/meminfo", "MemTotal:") / 1024.0;
    }

    /** Processor time of all processes so far. */
    public static double busySeconds() throws IOException {
        String[] fields =
                Files.readAllLines(Path.of("/proc/stat")).get(0).strip().split("\\s+");
        long ticks = 0;
        for (int i = 1; i <= STEAL; i++) {
            ticks += i == IDLE || i == IO_WAIT ? 0 : Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    static String loadAverage() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
    }

    static String processor() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/cpuinfo"));
        return lines.stream()
                .filter(line -> line.startsWith("model name"))
                .findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .orElse("unknown processor");
    }

    static long diskReadBytes(long pid) throws IOException {
        return number("/proc/" + pid + "/io", "read_bytes:");
    }

    /** Number of reads that all disks have completed so far. */
    public static long diskReads() throws IOException {
        long reads = 0;
        for (String line : Files.readAllLines(Path.of("/proc/diskstats"))) {
            String[] fields = line.strip().split("\\s+");
            // whole disks only: partitions count the same reads again
            if (Files.exists(Path.of("/sys/block/" + fields[2]))) {
                reads += Long.parseLong(fields[3]);
            }
        }
        return reads;
    }

    /** Empties the page cache. Returns false if this process is not permitted to. */
    public static boolean dropCaches() throws IOException {
        Path drop = Path.of("/proc/sys/vm/drop_caches");
        if (!Files.isWritable(drop)) {
            return false;
        }
        Files.writeString(drop, "3");
        return true;
    }

    private static long number(String file, String key) throws IOException {
        for (String line : Files.readAllLines(Path.of(file))) {
            if (line.startsWith(key)) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("there is no " + key + " in " + file);
    }
}
