package io.rivulet.store.io;

import java.io.Closeable;
import java.io.IOException;

/** The claim on a directory, until it is closed. */
public interface DirectoryLock extends Closeable {
    /**
     * Cheap; called about once a second by who holds the claim.
     *
     * @throws IOException when the claim is lost: the directory or its lock was removed, moved away or replaced
     */
    void check() throws IOException;

    /**
     * Returns when no earlier owner can still write here. Such an owner may be there if somebody has removed its lock: it ends when it
     * next calls {@link #check}. Returns at once when the lock was there.
     */
    void awaitFormerOwner() throws IOException;
}
