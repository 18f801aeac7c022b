package io.rivulet.store.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a name leads to the same file as before. A file that is open stays what it is when its name, or its
 * directory, is removed, moved away or replaced; but nobody finds it again.
 *
 * <p>Thread-safe.
 */
final class FileIdentity {
    private final Path path;
    private volatile @Nullable Object first;

    FileIdentity(Path path) {
        this.path = path;
    }

    /** What tells files apart, whatever their names are; the name, on systems that have no such thing. */
    static Object key(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path.toRealPath() : key;
    }

    /**
     * The first call remembers the file. All errors but that of a missing file are left to who meets them in use.
     *
     * @throws IOException when the name leads to no file, or to another one
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
