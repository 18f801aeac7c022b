package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of a benchmark's data. {@link #close} deletes it, unless {@code keep}. Immutable. */
public record DataDirectory(Path path, boolean keep) implements AutoCloseable {
    /** @param wanted null for a temporary directory */
    public static DataDirectory of(@Nullable Path wanted, boolean keep) throws IOException {
        Path path = wanted != null ? Files.createDirectories(wanted) : Files.createTempDirectory("rivulet-bench");
        return new DataDirectory(path, keep);
    }

    @Override
    public void close() throws IOException {
        if (!keep) {
            delete(path);
        }
    }

    /** Does nothing if it is not there. */
    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
