package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The official modules for other languages. Each program starts the image, sends a message and prints what it receives.
 */
final class ModulesIT {
    private static final Path SOURCES = Path.of("src", "test", "resources", "modules");
    private static final Path INSTALLED = Path.of("target", "modules").toAbsolutePath();

    @BeforeAll
    static void image() {
        Image.require();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python | python3 -c 'import ensurepip'"
                        + " | python3 -m venv venv && venv/bin/pip install -q -r requirements.txt"
                        + " | venv/bin/python module.py",
                "node | npm --version | npm ci --no-audit --no-fund --loglevel=error | node module.js",
                "go | go version | CGO_ENABLED=0 go build -buildvcs=false -o module . | ./module",
            })
    void theModuleTakesOurImage(String language, String check, String install, String run) throws IOException {
        require(Shell.succeeds("sh", "-c", check), check + " succeeds");
        Path folder = copy(language);
        Shell.Outcome installed = in(folder, install);
        require(installed.exitCode() == 0, language + " can be installed: " + installed.out());

        Shell.Outcome outcome = in(folder, run + " " + Image.TAG);

        assertThat(outcome.exitCode()).as(outcome.out()).isZero();
        assertThat(outcome.out().strip().lines().reduce("", (before, last) -> last))
                .isEqualTo("hello");
    }

    private static Shell.Outcome in(Path folder, String command) {
        return Shell.tryRun(Map.of(), "sh", "-c", "cd '" + folder + "' && " + command);
    }

    private static Path copy(String language) throws IOException {
        Path folder = Files.createDirectories(INSTALLED.resolve(language));
        try (Stream<Path> files = Files.list(SOURCES.resolve(language))) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return folder;
    }

    private static void require(boolean holds, String what) {
        if ("true".equals(System.getenv("CI"))) {
            assertThat(holds).as(what).isTrue();
        }
        assumeThat(holds).as(what).isTrue();
    }
}
