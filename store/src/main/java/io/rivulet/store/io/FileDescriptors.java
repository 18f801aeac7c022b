package io.rivulet.store.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Divides the file descriptors of this process. The virtual machine and the store have a share; the rest is for
 * connections. Immutable.
 *
 * @param limit how many this process may have open ({@code ulimit -n})
 */
public record FileDescriptors(int limit) {
    /** Jars, libraries, listeners. An idle broker on two cores has 33 open. */
    private static final int VIRTUAL_MACHINE = 60;
    /** Two for each event loop. There is one event loop for two cores. */
    private static final int EVENT_LOOPS = Runtime.getRuntime().availableProcessors();
    /** The limit if it can't be read. */
    private static final int COMMON_LIMIT = 1024;

    private static final int STORE_LEAST = 32;
    private static final int STORE_MOST = 4096;
    private static final int STORE_PART = 4;
    /** Of the store: lock, segments and files that are written, directories while they are synced. */
    private static final int STORE_WRITES = 20;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern OPEN_FILES = Pattern.compile("Max open files\\s+(\\d+)\\s.*");

    /** The descriptors of this process. At its start, the virtual machine raises the limit to the hard one. */
    public static FileDescriptors ofThisProcess() {
        try {
            return new FileDescriptors(limitIn(Files.readAllLines(LIMITS)));
        } catch (IOException e) {
            return new FileDescriptors(COMMON_LIMIT);
        }
    }

    static int limitIn(List<String> lines) {
        for (String line : lines) {
            Matcher matcher = OPEN_FILES.matcher(line);
            if (matcher.matches()) {
                return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(matcher.group(1)));
            }
        }
        return lines.isEmpty() ? COMMON_LIMIT : Integer.MAX_VALUE;
    }

    /** The most that the store needs, for any number of files. */
    public int forStore() {
        return Math.max(STORE_LEAST, Math.min(STORE_MOST, limit / STORE_PART));
    }

    /** How many files of the store are kept open for reading. */
    public int forReading() {
        return forStore() - STORE_WRITES;
    }

    /** The rest, for connections; at least 1. */
    public int forConnections() {
        return Math.max(1, limit - VIRTUAL_MACHINE - EVENT_LOOPS - forStore());
    }
}
