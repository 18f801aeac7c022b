package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs of this machine. */
final class Shell {
    private static final int PATIENCE_SECONDS = 600;

    private Shell() {}

    record Outcome(int exitCode, String out) {}

    /** Returns standard output and standard error of a program that must succeed. */
    static String run(String... command) {
        return run(Map.of(), command);
    }

    static String run(Map<String, String> environment, String... command) {
        Outcome outcome = tryRun(environment, command);
        assertThat(outcome.exitCode)
                .as("%s says %s", List.of(command), outcome.out)
                .isZero();
        return outcome.out;
    }

    static Outcome tryRun(Map<String, String> environment, String... command) {
        try {
            Path out = Files.createTempFile("shell", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError(List.of(command) + " has not ended");
            }
            String said = Files.readString(out, StandardCharsets.UTF_8);
            Files.delete(out);
            return new Outcome(process.exitValue(), said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Whether the program exists and succeeds. */
    static boolean succeeds(String... command) {
        try {
            return tryRun(Map.of(), command).exitCode == 0;
        } catch (UncheckedIOException e) {
            return false;
        }
    }
}
