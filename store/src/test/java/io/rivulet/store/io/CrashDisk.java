package io.rivulet.store.io;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A disk in memory that records its operations, and can compute what a power cut at any moment may leave.
 *
 * <p>{@link #traceLength()} numbers the moments. {@link #afterPowerCut} creates a disk as it may be found after a cut
 * at that moment:
 * <ul>
 * <li>everything that was forced is there;
 * <li>of the writes to a 512-byte sector since then, the first few have reached the disk, from none to all,
 * independently of other sectors; a file is at least as long as these writes need;
 * <li>of the creations, renames and deletes since the last sync of the directory, each may be done or not, but those
 * with a common name happen in order. A rename happens completely or not at all.
 * </ul> A seed decides. One in four seeds chooses an extreme instead: nothing unforced is there, all of it is, or only
 * the newest write to each file.
 *
 * <p>It follows the contract of {@link Disk} exactly, which is harsher than a journalling file system. Thread-safe.
 */
public final class CrashDisk implements Disk {
    static final int SECTOR_BYTES = 512;

    private final CrashTrace trace;
    private final String path;

    public CrashDisk() {
        this(new CrashTrace(), "");
    }

    private CrashDisk(CrashTrace trace, String path) {
        this.trace = trace;
        this.path = path;
    }

    /** The number of operations so far, as a moment for a cut. Every operation that has returned has a lower number. */
    public int traceLength() {
        synchronized (trace) {
            return trace.length();
        }
    }

    /** The disk as it may be found after a power cut at this moment. This disk does not change. */
    public CrashDisk afterPowerCut(int moment, long seed) {
        synchronized (trace) {
            return new CrashDisk(trace.cutAt(moment, new SplittableRandom(seed)), path);
        }
    }

    /** The disk as another process finds it after a kill now. */
    public CrashDisk afterKill() {
        synchronized (trace) {
            return new CrashDisk(trace.allThatWasDone(), path);
        }
    }

    /** Flips one bit as a defect of the medium would: not recorded. */
    public void flipBit(String name, long address, int bit) {
        synchronized (trace) {
            trace.inode(path + name).flipBit(Math.toIntExact(address), bit);
        }
    }

    /** Replaces bytes as a defect of the medium would. */
    public void alter(String name, long address, byte[] bytes) {
        synchronized (trace) {
            trace.inode(path + name).alter(Math.toIntExact(address), bytes);
        }
    }

    /** The current content of a file. */
    public byte[] content(String name) {
        synchronized (trace) {
            return trace.inode(path + name).content();
        }
    }

    @Override
    public DiskFile create(String name, IoMode mode) throws IOException {
        synchronized (trace) {
            if (trace.exists(path + name)) {
                throw new FileAlreadyExistsException(path + name);
            }
            return new CrashFile(name, trace.create(path + name));
        }
    }

    @Override
    public DiskFile open(String name, IoMode mode) throws IOException {
        synchronized (trace) {
            require(name);
            return new CrashFile(name, trace.inode(path + name));
        }
    }

    @Override
    public boolean exists(String name) {
        synchronized (trace) {
            return trace.exists(path + name)
                    || trace.names().stream().anyMatch(full -> full.startsWith(path + name + "/"));
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        synchronized (trace) {
            require(from);
            trace.rename(path + from, path + to);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        synchronized (trace) {
            require(name);
            trace.delete(path + name);
        }
    }

    private void require(String name) throws FileNotFoundException {
        if (!trace.exists(path + name)) {
            throw new FileNotFoundException(path + name);
        }
    }

    @Override
    public List<String> list() {
        synchronized (trace) {
            List<String> names = new ArrayList<>();
            for (String full : trace.names()) {
                if (full.startsWith(path) && full.indexOf('/', path.length()) < 0) {
                    names.add(full.substring(path.length()));
                }
            }
            return names;
        }
    }

    @Override
    public void syncDirectory() {
        synchronized (trace) {
            trace.sync(path);
        }
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public Disk directory(String name) {
        return new CrashDisk(trace, path + name + "/");
    }

    @Override
    public DirectoryLock lock() {
        return new SimulatedLock();
    }

    @Override
    public String describe() {
        return "crash-disk:/" + path;
    }

    private final class CrashFile implements DiskFile {
        private final String name;
        private final CrashInode inode;

        CrashFile(String name, CrashInode inode) {
            this.name = name;
            this.inode = inode;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void write(long address, ByteBuffer source) {
            byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            synchronized (trace) {
                trace.write(inode, Math.toIntExact(address), bytes);
            }
        }

        @Override
        public void write(long address, ByteBuffer[] sources) {
            long at = address;
            for (ByteBuffer source : sources) {
                int length = source.remaining();
                write(at, source);
                at += length;
            }
        }

        @Override
        public int read(long address, ByteBuffer target) {
            synchronized (trace) {
                return inode.read(address, target);
            }
        }

        @Override
        public void force() {
            synchronized (trace) {
                trace.force(inode);
            }
        }

        @Override
        public long sizeBytes() {
            synchronized (trace) {
                return inode.size();
            }
        }

        @Override
        public void truncate(long sizeBytes) {
            synchronized (trace) {
                if (inode.size() > sizeBytes) {
                    trace.resize(inode, Math.toIntExact(sizeBytes));
                }
            }
        }

        @Override
        public void extend(long sizeBytes) {
            synchronized (trace) {
                if (inode.size() < sizeBytes) {
                    trace.resize(inode, Math.toIntExact(sizeBytes));
                }
            }
        }

        @Override
        public int alignmentBytes() {
            return 1;
        }

        @Override
        public void close() {}
    }
}
