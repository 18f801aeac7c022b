package io.rivulet.store.faults;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Compiles C sources to libraries for {@code LD_PRELOAD}. Stateless. */
public final class PreloadedLibrary {
    private PreloadedLibrary() {}

    /**
     * Skips the test if the library can't be compiled and preloaded; with CI=true the test fails instead.
     *
     * @param owner the class that has the source as a resource
     * @param folder directory of source and library
     */
    public static Path compile(Class<?> owner, String sourceName, Path folder)
            throws IOException, InterruptedException {
        Tools.require("gcc");
        Path source = folder.resolve(sourceName);
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(sourceName))) {
            Files.copy(in, source);
        }
        Path library = folder.resolve(sourceName.replace(".c", ".so"));
        String[] gcc = {
            "gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl", "-lpthread"
        };
        Tools.run(folder, gcc);
        return library;
    }
}
