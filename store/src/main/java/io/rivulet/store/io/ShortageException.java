package io.rivulet.store.io;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A resource of the operating system is used up for now. Nothing is damaged: the same call succeeds once the resource
 * is available again. A file that was to be written may have a part of the bytes; a directory is unchanged.
 */
public final class ShortageException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The missing resource. */
    public enum Kind {
        /** Blocks or inodes. */
        SPACE("no space left"),
        QUOTA("no quota left"),
        /** Of this process or of the whole system. */
        DESCRIPTORS("no file descriptor left");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    private final Kind kind;

    public ShortageException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    ShortageException(Kind kind, Path path, IOException cause) {
        super(path + ": " + kind.words, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
