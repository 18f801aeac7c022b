package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a benchmark keeps its data, deleted in the end unless it is to be kept. Immutable. */
public record DataDirectory(Path path, boolean keep) implements AutoCloseable {
    /** @param wanted null for a temporary one */
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

    static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
