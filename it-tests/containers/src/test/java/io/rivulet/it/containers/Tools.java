package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Programs that check files for Kubernetes and GitHub. The first use installs them into the folder target. */
final class Tools {
    private static final Path SCRIPTS = Path.of("src", "test", "resources", "chart");
    private static final Path FOLDER = Path.of("target", "tools").toAbsolutePath();

    private static boolean installed;

    private Tools() {}

    /** Installs the programs. Without Python or Go the test is skipped; with CI=true it fails. */
    static synchronized void require() {
        if (installed) {
            return;
        }
        boolean possible = Shell.succeeds("python3", "-c", "import ensurepip") && Shell.succeeds("go", "version");
        if (!"true".equals(System.getenv("CI"))) {
            assumeThat(possible).as("Python with venv, and Go, are installed").isTrue();
        }
        Shell.run(script("tools.sh").toString(), FOLDER.toString());
        installed = true;
    }

    static String program(String name) {
        require();
        return FOLDER.resolve(name).toString();
    }

    /** Checks the objects in the file against the schemas of these versions of Kubernetes. */
    static void validate(Path objects, String... versions) {
        String[] command = new String[versions.length + 3];
        command[0] = program("venv/bin/python");
        command[1] = script("validate.py").toString();
        command[2] = objects.toString();
        System.arraycopy(versions, 0, command, 3, versions.length);
        Shell.Outcome outcome = Shell.tryRun(Map.of(), command);
        assertThat(outcome.exitCode()).as(outcome.out()).isZero();
    }

    private static Path script(String name) {
        Path script = SCRIPTS.resolve(name).toAbsolutePath();
        assertThat(Files.exists(script)).isTrue();
        return script;
    }
}
