package io.rivulet.it.pages;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A reader's terminal: one bash, which keeps variables and the folder from block to block. It ends at the first command
 * that fails. Owned by: one thread.
 */
final class Terminal implements AutoCloseable {
    /** Commands get no input, because the script's input is the list of blocks. */
    private static final String SCRIPT =
            "exec 3<&0 </dev/null; set -e -o pipefail; while read -r block <&3; do . \"$block\" >\"$block.out\" 2>&1;"
                    + " echo ended; done";

    private static final int END_SECONDS = 20;

    private final Path blocks;
    private final Process bash;
    private final BufferedReader answers;
    private Path printed = Path.of("none");

    /**
     * Starts bash.
     *
     * @param folder where the reader works
     * @param blocks an empty folder, for the terminal's own files
     */
    Terminal(Path folder, Path blocks, Map<String, String> environment) throws IOException {
        this.blocks = Files.createDirectories(blocks);
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", SCRIPT)
                .directory(folder.toFile())
                .redirectError(blocks.resolve("bash.err").toFile());
        builder.environment().putAll(environment);
        bash = builder.start();
        answers = bash.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts commands. */
    void start(int line, String commands) throws IOException {
        Path block = Files.writeString(blocks.resolve("line-" + line), commands);
        printed = Files.createFile(blocks.resolve("line-" + line + ".out"));
        bash.outputWriter().append(block.toString()).append('\n').flush();
    }

    /** Waits until all commands have ended. Returns whether each has succeeded. */
    boolean awaitSuccess(Duration patience) {
        CompletableFuture<Void> overdue = CompletableFuture.runAsync(
                this::close, CompletableFuture.delayedExecutor(patience.toSeconds(), TimeUnit.SECONDS));
        try {
            return "ended".equals(answers.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            overdue.cancel(false);
        }
    }

    /** Waits until the commands, which keep running, have printed these lines. Returns whether they have. */
    boolean awaitOutput(String expected, Duration patience) {
        try {
            Awaitility.await()
                    .atMost(patience)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> !isBusy() || Output.isBeginning(expected, printed()));
            return Output.isBeginning(expected, printed());
        } catch (ConditionTimeoutException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the commands that were started last still run. */
    boolean isBusy() throws IOException {
        return bash.isAlive() && !answers.ready();
    }

    /** What the commands that were started last have printed so far. */
    String printed() throws IOException {
        return Files.readString(printed);
    }

    /** Ends all processes: with a signal, and without mercy if that takes long. */
    @Override
    public void close() {
        Deque<ProcessHandle> processes = new ArrayDeque<>();
        Stream.concat(Stream.of(bash.toHandle()), bash.descendants()).forEach(processes::addFirst);
        processes.forEach(ProcessHandle::destroy);
        for (ProcessHandle process : processes) {
            process.onExit()
                    .completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS)
                    .join();
            process.destroyForcibly();
        }
    }
}
