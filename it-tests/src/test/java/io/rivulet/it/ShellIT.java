package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completions and manual pages, through the shell and through man's formatter. */
final class ShellIT {
    private static final Path JAR = Path.of("../broker/target/rivulet.jar");

    @TempDir
    private Path directory;

    private Programs.Outcome rivulet(String... arguments) throws Exception {
        return Programs.run(
                directory,
                Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        "-jar",
                                        JAR.toString()),
                                Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private Path script() throws Exception {
        Programs.Outcome printed = rivulet("completion");
        assertThat(printed.err()).isEmpty();
        return Files.writeString(directory.resolve("rivulet-completion"), printed.out());
    }

    /** What a Tab offers behind these words; the last one may be incomplete. */
    private List<String> offered(Path script, String... words) throws Exception {
        String typed = "rivulet " + String.join(" ", words);
        Programs.Outcome offered = Programs.run(
                directory,
                "bash",
                "--norc",
                "-c",
                "source " + script + "; compopt() { :; }; COMP_WORDS=(" + typed.replace("''", "\"\"") + "); COMP_CWORD="
                        + words.length
                        + "; COMP_LINE='" + typed + "'; COMP_POINT=${#COMP_LINE}; _complete_rivulet;"
                        + " printf '%s\\n' \"${COMPREPLY[@]}\"");
        assertThat(offered.err()).isEmpty();
        return offered.out().lines().map(String::strip).toList();
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        Path script = script();

        assertThat(Programs.run(directory, "bash", "-n", script.toString())).isEqualTo(new Programs.Outcome(0, "", ""));
        assertThat(offered(script, "con")).contains("config", "configs", "consumer-groups", "console-consumer");
        assertThat(offered(script, "consumer-groups", "--de")).containsExactlyInAnyOrder("--describe", "--delete");
        assertThat(offered(script, "topics", "--js")).containsExactly("--json");
        assertThat(offered(script, "exer")).containsExactly("");
    }

    @Test
    void theManualPagesHaveNoErrors() throws Exception {
        Programs.require("groff");
        Path pages = directory.resolve("man1");

        assertThat(rivulet("man", pages.toString()).exitCode()).isZero();

        try (Stream<Path> written = Files.list(pages)) {
            List<String> files = written.map(Path::toString).sorted().toList();
            assertThat(files).hasSizeGreaterThan(20).anyMatch(name -> name.endsWith("/rivulet-inspect.1"));
            Programs.Outcome formatted = Programs.run(
                    directory,
                    Stream.concat(
                                    Stream.of("groff", "-man", "-Tutf8", "-ww", "-P-c", "-P-b", "-P-u", "-P-o"),
                                    files.stream())
                            .toArray(String[]::new));
            assertThat(formatted.err()).isEmpty();
            // groff fills lines up with spaces
            assertThat(formatted.out().replaceAll(" +", " "))
                    .contains("rivulet topics [-hV]", "--bootstrap-server host:port", "EXIT STATUS", "RIVULET-MAN(1)");
        }
    }
}
