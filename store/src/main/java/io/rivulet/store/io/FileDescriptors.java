package io.rivulet.store.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the file descriptors of this process are shared out. What is left after the virtual machine's share and the store's is for
 * connections. Immutable.
 *
 * @param limit how many this process may have open ({@code ulimit -n})
 */
public record FileDescriptors(int limit) {
    /** Jars, libraries, listeners: an idle broker of two cores has 33 open. */
    private static final int VIRTUAL_MACHINE = 60;
    /** Two for each event loop, of which there is one for two cores. */
    private static final int EVENT_LOOPS = Runtime.getRuntime().availableProcessors();
    /** Where the limit can't be asked for. */
    private static final int COMMON_LIMIT = 1024;

    private static final int STORE_LEAST = 32;
    private static final int STORE_MOST = 4096;
    private static final int STORE_PART = 4;
    /** Of the store's: lock, segments that are written, files in the making, directories while they are synced. */
    private static final int STORE_WRITES = 20;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern OPEN_FILES = Pattern.compile("Max open files\\s+(\\d+)\\s.*");

    /** Those of this process. The virtual machine has raised the limit to the hard one at its start. */
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

    /** What the store needs at most, however many files it has. */
    public int forStore() {
        return Math.max(STORE_LEAST, Math.min(STORE_MOST, limit / STORE_PART));
    }

    /** How many of the store's files are kept open for reading. */
    public int forReading() {
        return forStore() - STORE_WRITES;
    }

    /** What is left for connections; 1 at least. */
    public int forConnections() {
        return Math.max(1, limit - VIRTUAL_MACHINE - EVENT_LOOPS - forStore());
    }
}
