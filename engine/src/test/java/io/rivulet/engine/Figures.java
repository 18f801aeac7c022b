package io.rivulet.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** What runs of rounds have shown, a line each, in files of the module's target. Stateless. */
final class Figures {
    private Figures() {}

    static void append(String file, long seed, String figures, long startedNanos) throws IOException {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
        Files.writeString(
                Path.of("target", file),
                "seed " + seed + ": " + figures + ", " + seconds + " s\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
