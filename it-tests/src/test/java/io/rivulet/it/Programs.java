package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs that a test runs beside the broker. */
public final class Programs {
    private static final int PATIENCE_SECONDS = 300;

    private Programs() {}

    public record Outcome(int exitCode, String out, String err) {}

    /** Skips the test if the program is not installed; with CI=true the test fails. */
    public static void require(String program) {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        require(installed, program + " is installed");
    }

    /** Skips the test if this does not hold; with CI=true the test fails. */
    public static void require(boolean holds, String what) {
        if ("true".equals(System.getenv("CI"))) {
            assertThat(holds).as(what).isTrue();
        }
        assumeThat(holds).as(what).isTrue();
    }

    public static Outcome run(Path scratch, String... command) throws IOException, InterruptedException {
        return runWithInput(scratch, "", command);
    }

    static Outcome runWithInput(Path scratch, String input, String... command)
            throws IOException, InterruptedException {
        return run(scratch, Map.of(), input, command);
    }

    /** Runs the command with these variables of the environment, beside those of the test. */
    public static Outcome run(Path scratch, Map<String, String> environment, String input, String... command)
            throws IOException, InterruptedException {
        Path in = Files.writeString(scratch.resolve("program.in"), input);
        Path out = scratch.resolve("program.out");
        Path err = scratch.resolve("program.err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        Outcome outcome = new Outcome(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
        assertThat(ended)
                .as("%s has ended; its output: %s", command[0], outcome)
                .isTrue();
        return outcome;
    }
}
