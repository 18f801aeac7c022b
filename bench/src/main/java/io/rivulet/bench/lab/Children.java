package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The child processes. A shutdown hook kills those that still run. Thread-safe. */
final class Children {
    private static final long END_SECONDS = 60;

    private final Set<Process> living = ConcurrentHashMap.newKeySet();

    Children() {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> living.forEach(child -> child.destroyForcibly()), "end-of-children"));
    }

    /** Starts the command with this limit of open files. Its output is appended to the file. */
    Process start(List<String> command, int maxFiles, String rivuletOptions, Path directory, Path output)
            throws IOException {
        // exec: the process id of the child is that of the command
        List<String> limited = new ArrayList<>(List.of("sh", "-c", "ulimit -n " + maxFiles + " && exec \"$@\"", "sh"));
        limited.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(limited);
        builder.environment().put("RIVULET_OPTS", rivuletOptions);
        Process child = builder.directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        living.add(child);
        child.onExit().thenRun(() -> living.remove(child));
        return child;
    }

    /** Kills the child and waits until it has ended. */
    static void kill(Process child) throws IOException {
        child.destroyForcibly();
        awaitEnd(child);
    }

    /** Waits until the child has ended. */
    static void awaitEnd(Process child) throws IOException {
        try {
            if (!child.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("process " + child.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while ending process " + child.pid(), e);
        }
    }
}
