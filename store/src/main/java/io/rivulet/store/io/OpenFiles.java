package io.rivulet.store.io;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The files of a disk that are open for reading. Their number is limited; it is exceeded only while more files are read
 * at the same moment. Before another file is opened, one that was not read recently is closed (second chance, with a
 * clock hand). For an open file, a read costs two atomic operations and no lock.
 *
 * <p>Guarded by itself, except for the fields of {@link Reader}.
 */
final class OpenFiles {
    private static final int NOT_OPEN = -1;

    private final int max;
    private final List<Reader> open = new ArrayList<>();
    private int hand;

    OpenFiles(int max) {
        this.max = max;
    }

    /** A file that any thread may read. The first read opens it. */
    Reader reader(Path path) {
        return reader(path, Set.of(StandardOpenOption.READ));
    }

    /** As {@link #reader(Path)}, with other options. */
    Reader reader(Path path, Set<OpenOption> options) {
        return new Reader(path, options);
    }

    synchronized int count() {
        return open.size();
    }

    /** Opens a file with any options. If descriptors have run out, closes one that is open for reading. */
    FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException {
        refuseSpecialFile(path);
        try {
            return FileChannel.open(path, options);
        } catch (IOException e) {
            IOException error = DiskErrors.ofOpen(path, e);
            if (!isOfDescriptors(error) || !closeOne()) {
                throw error;
            }
        }
        try {
            return FileChannel.open(path, options);
        } catch (IOException e) {
            throw DiskErrors.ofOpen(path, e);
        }
    }

    /** Opening a named pipe would wait for a process that opens its other end. */
    private static void refuseSpecialFile(Path path) throws IOException {
        boolean isSpecial;
        try {
            isSpecial = Files.readAttributes(path, BasicFileAttributes.class).isOther();
        } catch (IOException e) {
            return; // It does not exist, or the open fails with the same error.
        }
        if (isSpecial) {
            throw new FileSystemException(path.toString(), null, "neither a file nor a folder");
        }
    }

    private static boolean isOfDescriptors(IOException e) {
        return e instanceof ShortageException shortage && shortage.kind() == ShortageException.Kind.DESCRIPTORS;
    }

    private synchronized void makeRoom() throws IOException {
        boolean closed = true;
        while (open.size() >= max && closed) {
            closed = closeOne();
        }
    }

    /** False if all are being read. */
    private synchronized boolean closeOne() throws IOException {
        for (int looks = 2 * open.size(); looks > 0; looks--) {
            hand = hand < open.size() ? hand : 0;
            Reader candidate = open.get(hand);
            if (candidate.wasUsed) {
                candidate.wasUsed = false;
            } else if (candidate.users.compareAndSet(0, NOT_OPEN)) {
                remove(hand);
                candidate.closeChannel();
                return true;
            }
            hand++;
        }
        return false;
    }

    private void remove(int index) {
        Reader last = open.remove(open.size() - 1);
        if (index < open.size()) {
            open.set(index, last);
        }
    }

    /**
     * The readers' view of a file. {@code users} counts reads that are under way, and is {@link #NOT_OPEN} if there is
     * no channel. While a thread is counted, the channel stays. {@code channel} changes under the monitor of the files.
     */
    final class Reader {
        private final Path path;
        private final Set<OpenOption> options;
        private final AtomicInteger users = new AtomicInteger(NOT_OPEN);
        private volatile boolean wasUsed;
        private volatile @Nullable FileChannel channel;
        private volatile boolean isClosed;

        private Reader(Path path, Set<OpenOption> options) {
            this.path = path;
            this.options = options;
        }

        /**
         * The channel. It stays open until {@link #release}, except after an interrupt of another reader or a {@link
         * #close}.
         */
        FileChannel acquire() throws IOException {
            for (int seen = users.get(); seen != NOT_OPEN; seen = users.get()) {
                if (users.compareAndSet(seen, seen + 1)) {
                    return acquired();
                }
            }
            return acquireFirst();
        }

        private FileChannel acquired() throws IOException {
            if (!wasUsed) {
                wasUsed = true;
            }
            FileChannel there = channel;
            if (there != null && there.isOpen()) {
                return there;
            }
            try {
                return openAgain();
            } catch (IOException e) {
                release();
                throw e;
            }
        }

        private FileChannel acquireFirst() throws IOException {
            synchronized (OpenFiles.this) {
                if (users.get() == NOT_OPEN) {
                    requireNotClosed();
                    makeRoom();
                    channel = open(path, options);
                    open.add(this);
                    users.set(0);
                }
                users.incrementAndGet();
            }
            return acquired();
        }

        /** An interrupt has closed the channel for all its users. */
        private FileChannel openAgain() throws IOException {
            synchronized (OpenFiles.this) {
                requireNotClosed();
                FileChannel there = channel;
                if (there == null || !there.isOpen()) {
                    there = open(path, options);
                    channel = there;
                }
                return there;
            }
        }

        private void requireNotClosed() throws ClosedChannelException {
            if (isClosed) {
                throw new ClosedChannelException();
            }
        }

        void release() {
            users.decrementAndGet();
        }

        /** Closes it for good: current and later reads fail. */
        void close() throws IOException {
            synchronized (OpenFiles.this) {
                if (!isClosed) {
                    isClosed = true;
                    int index = open.indexOf(this);
                    if (index >= 0) {
                        remove(index);
                    }
                    closeChannel();
                }
            }
        }

        private void closeChannel() throws IOException {
            FileChannel there = channel;
            channel = null;
            if (there != null) {
                there.close();
            }
        }
    }
}
