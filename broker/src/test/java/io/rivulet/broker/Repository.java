package io.rivulet.broker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Where the sources and the documents are. */
final class Repository {
    /** A test may run in any folder below it. */
    static final Path ROOT = root();

    private Repository() {}

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/ARCHITECTURE.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "no folder above has the documents");
        }
        return folder;
    }
}
