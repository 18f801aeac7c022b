package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher builds, with a Maven that only says so. */
final class LauncherBuildIT {
    private static final Path LAUNCHER = Path.of("..", "bin", "rivulet");
    private static final int STARTS = 3;

    @TempDir
    private Path home;

    private final List<Process> starts = new ArrayList<>();

    @AfterEach
    void end() {
        starts.forEach(start -> {
            start.descendants().forEach(ProcessHandle::destroyForcibly);
            start.destroyForcibly();
        });
    }

    @Test
    void ofSeveralStartsAtTheSameTimeOneBuilds() throws Exception {
        Path tools = Files.createDirectories(home.resolve("tools"));
        Files.createDirectories(home.resolve("bin"));
        Files.copy(LAUNCHER, home.resolve("bin/rivulet"));
        Files.createFile(home.resolve("pom.xml"));
        Path builds = home.resolve("builds");
        Path go = home.resolve("go");
        assertThat(new ProcessBuilder("mkfifo", go.toString()).start().waitFor())
                .isZero();
        program(tools.resolve("mvn"), "mkdir -p engine/target", "echo build >>" + builds, "read line <" + go);
        program(tools.resolve("java"), "exit 0");

        for (int i = 0; i < STARTS; i++) {
            starts.add(start(tools));
        }
        Awaitility.await()
                .until(() -> starts.stream().filter(LauncherBuildIT::waits).count() == STARTS - 1);
        Files.writeString(go, "\n");

        for (Process start : starts) {
            start.waitFor();
        }
        assertThat(builds).hasContent("build");
    }

    private Process start(Path tools) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(home.resolve("bin/rivulet").toString(), "engine", "--help")
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(home.resolve("output").toFile()));
        builder.environment().remove("JAVA_HOME");
        builder.environment().merge("PATH", tools + ":", (path, first) -> first + path);
        return builder.start();
    }

    private static boolean waits(Process start) {
        return start.descendants()
                .anyMatch(child -> child.info().command().orElse("").endsWith("/flock"));
    }

    private static void program(Path file, String... lines) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
