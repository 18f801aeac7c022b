package io.rivulet.store.io;

import java.io.IOException;
import java.util.List;

/**
 * One directory without sub-directories: what the store needs of a file system.
 *
 * <p>Any call except a force may throw a {@link ShortageException}: the caller waits and tries again. Any other
 * exception is final.
 *
 * <p>Thread-safe. Crash policy: a create, rename or delete is durable only when {@link #syncDirectory()} has returned.
 * Before that, a crash may keep or lose each of them, in any order. Bytes in a file are durable after {@link
 * DiskFile#force()}. A rename is atomic: after a crash the file has one of the two names, never both and never none.
 */
public interface Disk {
    /** How files are written. */
    enum IoMode {
        /** Through the page cache. */
        BUFFERED,
        /** Without the page cache: addresses, lengths and memory are multiples of {@link DiskFile#alignmentBytes()}. */
        DIRECT
    }

    /**
     * Creates a file for writing and reading. It must not exist.
     *
     * @throws DirectIoRefusedException if the file system does not support {@link IoMode#DIRECT}; there is no silent
     *     fallback
     */
    DiskFile create(String name, IoMode mode) throws IOException;

    /** Opens an existing file for writing and reading. */
    DiskFile open(String name, IoMode mode) throws IOException;

    default DiskFile create(String name) throws IOException {
        return create(name, IoMode.BUFFERED);
    }

    /** Creates a file that is written past the page cache, or through it if the file system refuses that. */
    default DiskFile createUncached(String name) throws IOException {
        try {
            return create(name, IoMode.DIRECT);
        } catch (DirectIoRefusedException e) {
            return create(name, IoMode.BUFFERED);
        }
    }

    default DiskFile open(String name) throws IOException {
        return open(name, IoMode.BUFFERED);
    }

    boolean exists(String name) throws IOException;

    /** Renames the file and replaces a file of that name. The file must not be open for reading elsewhere. */
    void rename(String from, String to) throws IOException;

    /** As {@link #rename}, and durable when it returns. A {@link ShortageException} changes neither name. */
    default void renameDurably(String from, String to) throws IOException {
        rename(from, to);
        syncDirectory();
    }

    void delete(String name) throws IOException;

    /** The names of the files in this directory, sorted; directories are not listed. */
    List<String> list() throws IOException;

    /** Makes every create, rename and delete before this call durable. */
    void syncDirectory() throws IOException;

    /** Bytes that can still be written on the file system under this directory. */
    long usableBytes() throws IOException;

    /** The directory below this one, created and made durable if it was missing. */
    Disk directory(String name) throws IOException;

    /**
     * Locks this directory for the caller until the result is closed.
     *
     * @throws IOException if another process, or another owner in this process, has locked it
     */
    DirectoryLock lock() throws IOException;

    /** The place of this directory, for messages. */
    String describe();
}
