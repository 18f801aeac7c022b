package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server in a child process, and its home, which {@link #close} deletes. Owned by: the command's thread. */
public final class Daemon implements AutoCloseable {
    private static final int COMPLAINT_CHARS = 200;

    private final Lab lab;
    private final List<String> command;
    private final Path home;
    private final String options;
    private @Nullable Process process;

    /** @param home directory of the data and of the file {@code output} */
    public Daemon(Lab lab, List<String> command, Path home) {
        this(lab, command, home, lab.rivuletOptions());
    }

    /** @param options for its virtual machine, if bin/rivulet starts it */
    Daemon(Lab lab, List<String> command, Path home, String options) {
        this.lab = lab;
        this.command = command;
        this.home = home;
        this.options = options;
    }

    /** Starts the process. It may not be ready yet. */
    public void start() throws IOException {
        process = lab.spawn(command, home, options);
    }

    long pid() {
        return running().pid();
    }

    public boolean isAlive() {
        return running().isAlive();
    }

    /** User and system time, without that of child processes. */
    public double cpuSeconds() throws IOException {
        return ProcFs.cpuSeconds(pid());
    }

    /** Resident memory, with the pages of mapped files. */
    public double residentMib() throws IOException {
        return ProcFs.residentMib(pid());
    }

    /** Resident memory, without the pages of mapped files. */
    public double anonymousMib() throws IOException {
        return ProcFs.anonymousMib(pid());
    }

    /** Kills the process as {@code kill -9} does. */
    public void kill() throws IOException {
        Children.kill(running());
    }

    /** Asks the process to end, as SIGTERM does, and does not wait. */
    void terminate() {
        running().destroy();
    }

    /** Waits until the process has ended. */
    void awaitEnd() throws IOException {
        Children.awaitEnd(running());
    }

    /** The last line of the output. */
    public String complaint() throws IOException {
        String output = output().strip();
        String line = output.substring(output.lastIndexOf('\n') + 1);
        return line.isEmpty() ? "no output" : line.substring(0, Math.min(line.length(), COMPLAINT_CHARS));
    }

    /** What its processes have printed so far. */
    String output() throws IOException {
        return new String(Files.readAllBytes(home.resolve("output")), StandardCharsets.UTF_8);
    }

    private Process running() {
        return Objects.requireNonNull(process);
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            kill();
        }
        DataDirectory.delete(home);
    }
}
