package io.rivulet.store.io;

import java.io.Closeable;
import java.io.IOException;

/** The lock of a directory, held until it is closed. */
public interface DirectoryLock extends Closeable {
    /**
     * Checks the lock. Cheap; the owner calls it about once a second.
     *
     * @throws IOException if the lock is lost: the directory or its lock file was removed, moved away or replaced
     */
    void check() throws IOException;

    /**
     * Returns when no earlier owner can still write here. There may be one if its lock file was removed: it stops at
     * its next {@link #check}. Returns at once if the lock file existed.
     */
    void awaitFormerOwner() throws IOException;
}
