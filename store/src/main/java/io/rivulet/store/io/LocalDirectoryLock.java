package io.rivulet.store.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks a directory by a lock of the operating system on the file {@code lock} in it. That lock belongs to the file and
 * not to its name: if the file is removed, another process can lock a new one. So the owner regularly checks that the
 * name still leads to its file. A process that finds no file waits long enough for such an owner to notice.
 *
 * <p>The operating system releases a process's lock when the process closes any descriptor of the file. So this process
 * never opens the lock file of a directory that it has already locked: a list has these directories.
 *
 * <p>Immutable; the list is thread-safe.
 */
final class LocalDirectoryLock implements DirectoryLock {
    private static final Logger LOG = LoggerFactory.getLogger(LocalDirectoryLock.class);

    private static final String NAME = "lock";

    /** An owner checks once a second, and its process ends within another second. */
    private static final int FORMER_OWNER_SECONDS = 4;

    private static final Set<Object> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final Object directoryKey;
    private final FileChannel channel;
    private final FileIdentity identity;
    private final boolean wasThere;

    private LocalDirectoryLock(Path file, Object directoryKey, FileChannel channel, boolean wasThere)
            throws IOException {
        this.file = file;
        this.directoryKey = directoryKey;
        this.channel = channel;
        this.wasThere = wasThere;
        this.identity = new FileIdentity(file);
        identity.check();
    }

    /** Locks for one owner, which may write. */
    static DirectoryLock take(Path directory, OpenFiles files) throws IOException {
        return take(directory, files, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    /** Locks for any number of processes that only read. If there is no lock file, the directory never had an owner. */
    static DirectoryLock takeShared(Path directory, OpenFiles files) throws IOException {
        if (!Files.exists(directory.resolve(NAME), LinkOption.NOFOLLOW_LINKS)) {
            return new NoLock();
        }
        return take(directory, files, Set.of(StandardOpenOption.READ));
    }

    private static DirectoryLock take(Path directory, OpenFiles files, Set<StandardOpenOption> options)
            throws IOException {
        Object directoryKey = FileIdentity.key(directory);
        if (!HELD_HERE.add(directoryKey)) {
            throw new IOException(directory + " is in use by another broker in this process");
        }
        boolean taken = false;
        try {
            Path file = directory.resolve(NAME);
            boolean wasThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            FileChannel channel = locked(directory, files.open(file, options), options);
            DirectoryLock lock = new LocalDirectoryLock(file, directoryKey, channel, wasThere);
            taken = true;
            return lock;
        } finally {
            if (!taken) {
                HELD_HERE.remove(directoryKey);
            }
        }
    }

    private static FileChannel locked(Path directory, FileChannel channel, Set<StandardOpenOption> options)
            throws IOException {
        boolean isLocked = false;
        try {
            boolean isShared = options.contains(StandardOpenOption.READ);
            isLocked = channel.tryLock(0, Long.MAX_VALUE, isShared) != null;
        } catch (OverlappingFileLockException e) {
            // Another directory of this process has the same file through a hard link, so it is in use.
        } finally {
            if (!isLocked) {
                channel.close();
            }
        }
        if (!isLocked) {
            throw new IOException(directory + " is in use by another process");
        }
        return channel;
    }

    @Override
    public void check() throws IOException {
        try {
            identity.check();
        } catch (IOException e) {
            throw new IOException(e.getMessage() + ": another broker may write to it now", e);
        }
    }

    @Override
    public void awaitFormerOwner() throws IOException {
        if (wasThere) {
            return;
        }
        LOG.warn(
                "{} was missing. If a broker still runs on this directory, it ends now: waiting {} s for that",
                file,
                FORMER_OWNER_SECONDS);
        long endNanos = System.nanoTime() + FORMER_OWNER_SECONDS * 1_000_000_000L;
        for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        check();
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD_HERE.remove(directoryKey);
        }
    }

    private record NoLock() implements DirectoryLock {
        @Override
        public void check() {}

        @Override
        public void awaitFormerOwner() {}

        @Override
        public void close() {}
    }
}
