package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a newcomer types first. */
final class LauncherIT {
    private static final Path LAUNCHER =
            Path.of("..", "bin", "rivulet").toAbsolutePath().normalize();

    @Test
    void versionNamesTheBuildAndTheJavaThatRunsIt() throws Exception {
        Outcome outcome = rivulet("version");

        assertThat(outcome.exitCode).isZero();
        assertThat(outcome.out).matches("(?s)rivulet \\d+\\.\\d+\\.\\d+\\S* \\(Java \\S+\\)\\R");
    }

    @Test
    void helpNamesEachCommandWithWhatItDoes() throws Exception {
        Outcome outcome = rivulet("--help");

        assertThat(outcome.exitCode).isZero();
        assertThat(outcome.out).contains("Usage: rivulet", "start", "version", "RIVULET_OPTS");
    }

    @Test
    void anUnknownCommandIsRefusedWithTheUsage() throws Exception {
        Outcome outcome = rivulet("strat");

        assertThat(outcome.exitCode).isEqualTo(2);
        assertThat(outcome.err).contains("strat").contains("start");
    }

    private record Outcome(int exitCode, String out, String err) {}

    private static Outcome rivulet(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        Path err = Path.of("target", "launcher.err").toAbsolutePath();
        Process process =
                new ProcessBuilder(command).redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), out, java.nio.file.Files.readString(err));
    }
}
