package io.rivulet.it.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of this machine. */
final class Programs {
    private static final int PATIENCE_SECONDS = 600;

    private Programs() {}

    record Outcome(int exitCode, String out) {}

    /** Skips the test without root or one of these programs; with CI=true the test fails. */
    static void require(String... programs) {
        require("root".equals(System.getProperty("user.name")), "the test runs as root");
        for (String program : programs) {
            boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
            require(installed, program + " is installed");
        }
    }

    private static void require(boolean holds, String what) {
        if ("true".equals(System.getenv("CI"))) {
            assertThat(holds).as(what).isTrue();
        }
        assumeThat(holds).as(what).isTrue();
    }

    /** Returns standard output and standard error of a program that must succeed. */
    static String run(String... command) {
        Outcome outcome = tryRun(command);
        assertThat(outcome.exitCode)
                .as("%s says %s", List.of(command), outcome.out)
                .isZero();
        return outcome.out;
    }

    static Outcome tryRun(String... command) {
        try {
            Path out = Files.createTempFile("program", ".out");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(out.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError(List.of(command) + " has not ended: " + Files.readString(out));
            }
            String said = Files.readString(out);
            Files.delete(out);
            return new Outcome(process.exitValue(), said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
