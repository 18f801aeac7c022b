package io.rivulet.prove.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process that ends with this one. Owned by: one thread. */
public abstract class ChildProcess implements AutoCloseable {
    static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Path err;
    /** Ends the process with this one. */
    private final Thread ender;

    ChildProcess(Process process, Path err) {
        this.process = process;
        this.err = err;
        this.ender = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(ender);
    }

    final Process process() {
        return process;
    }

    final Path errFile() {
        return err;
    }

    /** What {@code bin/rivulet} builds; in tests, that of a module beside this one. */
    static Path built(String... path) {
        String home = System.getProperty("rivulet.home", "..");
        return Path.of(home, path).toAbsolutePath().normalize();
    }

    static String javaProgram(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** Waits for the end. Returns the exit code. */
    public final int awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("process " + process.pid() + " has not ended");
        }
        return process.exitValue();
    }

    public final boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM. */
    public final void terminate() {
        process.destroy();
    }

    /** kill -9, also of one that is paused. Returns when the process has ended. */
    public final void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** It does nothing until {@link #resume}. */
    public final void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    public final void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0 && process.isAlive()) {
            throw new IOException("kill -" + name + " ended with " + code);
        }
    }

    /** Its log. */
    public final String err() throws IOException {
        return Files.readString(err);
    }

    @Override
    public final void close() {
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
