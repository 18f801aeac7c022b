package io.rivulet.store.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a name leads to the same file as before. An open file stays readable after its name or its directory was
 * removed, moved away or replaced; but after a restart it is not found.
 *
 * <p>Thread-safe.
 */
final class FileIdentity {
    private final Path path;
    private volatile @Nullable Object first;

    FileIdentity(Path path) {
        this.path = path;
    }

    /** Identifies a file independently of its name. On systems without such an identity, it is the name. */
    static Object key(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path.toRealPath() : key;
    }

    /**
     * The first call records the file. Ignores all errors except a missing file: a later read or write reports them.
     *
     * @throws IOException if the name leads to no file, or to another one
     */
    void check() throws IOException {
        Object now;
        try {
            now = key(path);
        } catch (NoSuchFileException e) {
            throw lost();
        } catch (IOException e) {
            return;
        }
        Object before = first;
        if (before == null) {
            first = now;
        } else if (!before.equals(now)) {
            throw lost();
        }
    }

    private IOException lost() {
        return new IOException(path + " was removed or replaced, or the directory was");
    }
}
