package io.rivulet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.Jcmd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A process that ends with this one, and whose output is in a file. Owned by: one thread. */
final class ChildProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Half of what bin/rivulet gives an engine. */
    private static final int DIRECT_MEMORY_MIB = 192;

    private final Process process;
    private final Path output;
    /** Before it the file has the output of earlier processes. */
    private final int outputFrom;

    private final Thread ender;

    private ChildProcess(Process process, Path output, int outputFrom) {
        this.process = process;
        this.output = output;
        this.outputFrom = outputFrom;
        this.ender = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(ender);
    }

    /** @param output it is appended to this file */
    static ChildProcess start(Path output, Map<String, String> environment, List<String> command) throws IOException {
        int before = Files.exists(output) ? Files.readString(output).length() : 0;
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().putAll(environment);
        return new ChildProcess(builder.start(), output, before);
    }

    /** The program of the Java that this process has. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** An engine. */
    static ChildProcess engine(Path output, List<String> arguments) throws IOException {
        return engine(Machine.local("localhost"), output, DIRECT_MEMORY_MIB, arguments);
    }

    /** An engine on that machine. */
    static ChildProcess engine(Machine machine, Path output, List<String> arguments) throws IOException {
        return engine(machine, output, DIRECT_MEMORY_MIB, arguments);
    }

    /** An engine with so much direct memory. */
    static ChildProcess engine(Path output, int directMemoryMib, List<String> arguments) throws IOException {
        return engine(Machine.local("localhost"), output, directMemoryMib, arguments);
    }

    private static ChildProcess engine(Machine machine, Path output, int directMemoryMib, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-Xmx192m",
                "-XX:MaxDirectMemorySize=" + directMemoryMib + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dzookeeper.forceSync=no",
                "--add-opens=java.base/java.io=ALL-UNNAMED"));
        command.addAll(ClassArchives.ofEngines());
        command.addAll(List.of("-cp", ClassArchives.engine(), EngineCommand.class.getName()));
        command.addAll(arguments);
        return start(output, Map.of(), machine.command(command));
    }

    String output() {
        try {
            return Files.readString(output).substring(outputFrom);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until its output has the text. Fails if it ends before. */
    void awaitOutput(String text) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !isAlive() || output().contains(text));
        assertThat(output()).contains(text);
        assertThat(isAlive()).as(output()).isTrue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end. Returns the exit code. */
    int awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL, also of one that is paused. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** It does nothing until {@link #resume}. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** The classes of all objects that something refers to, after a full collection, as jcmd prints them. */
    String objects() throws IOException, InterruptedException {
        return Jcmd.ask(process.pid(), "GC.class_histogram");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int unused = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            Runtime.getRuntime().removeShutdownHook(ender);
        } catch (IllegalStateException e) {
            return; // the hooks run
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
