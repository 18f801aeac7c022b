package io.rivulet.store.faults;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Programs of the machine that cause faults. */
final class Tools {
    private static final int PATIENCE_SECONDS = 60;

    private Tools() {}

    /** Skips the test if the program is not installed; with CI=true the test fails instead. */
    static void require(String program) {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        require(installed && System.getProperty("os.name").equals("Linux"), program + " is installed, on Linux");
    }

    static void require(boolean holds, String what) {
        Assumptions.assumeTrue(holds || "true".equals(System.getenv("CI")), what);
        Assertions.assertTrue(holds, what);
    }

    static void run(Path folder, String... command) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(command[0] + " has failed: " + Files.readString(said));
        }
    }
}
