package io.rivulet.store.io;

import io.rivulet.store.io.ShortageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Another disk with configurable faults. Thread-safe; faults may be added while the disk is in use.
 *
 * <pre>
 * FaultyDisk disk = new FaultyDisk(new CrashDisk());
 * disk.failNth(Op.FORCE, 1);
 * </pre>
 */
public final class FaultyDisk extends ForwardingDisk {
    /** Kinds of operations. */
    public enum Op {
        CREATE,
        OPEN,
        RENAME,
        DELETE,
        LIST,
        SYNC_DIRECTORY,
        WRITE,
        READ,
        FORCE,
        TRUNCATE,
        EXTEND
    }

    /** Why a call fails. */
    public enum Cause {
        NO_SPACE,
        NO_QUOTA,
        NO_DESCRIPTORS,
        READ_ONLY,
        BROKEN
    }

    private final Faults faults;

    public FaultyDisk(Disk disk) {
        this(disk, new Faults());
    }

    private FaultyDisk(Disk disk, Faults faults) {
        super(disk);
        this.faults = faults;
    }

    /** Fails the n-th operation of this kind from now on; 1 is the next. */
    public FaultyDisk failNth(Op op, int n) {
        return failNth(op, n, name -> true);
    }

    /** Fails the n-th operation of this kind on files with such names. */
    public synchronized FaultyDisk failNth(Op op, int n, Predicate<String> names) {
        faults.add(new Fault(op, names, n, Effect.FAIL, 0));
        return this;
    }

    /** Makes the n-th write from now on write its first {@code bytes} only and then fail. */
    public FaultyDisk shortWriteNth(int n, int bytes) {
        faults.add(new Fault(Op.WRITE, name -> true, n, Effect.FAIL, bytes));
        return this;
    }

    /** Makes the n-th write from now on write its first {@code bytes} only and then report a full disk. */
    public FaultyDisk fullAtNthWrite(int n, int bytes) {
        faults.add(new Fault(Op.WRITE, name -> true, n, Effect.FULL, bytes));
        return this;
    }

    /** While this is on, nothing can be written, extended or created. */
    public FaultyDisk full(boolean isFull) {
        faults.full = isFull;
        return this;
    }

    /** All operations of this kind fail from now on, with the errors of a real disk. */
    public FaultyDisk fail(Op op, Cause cause) {
        faults.standing.put(op, cause);
        return this;
    }

    /** Removes the faults of {@link #fail} and {@link #full}. */
    public FaultyDisk heal() {
        faults.standing.clear();
        faults.full = false;
        return this;
    }

    /** Fails each read that touches these bytes. */
    public FaultyDisk failReads(String name, long fromAddress, long toAddress) {
        faults.add(new BadRange(name, fromAddress, toAddress));
        return this;
    }

    /** How many operations of this kind there were, failed ones included. */
    public long count(Op op) {
        return faults.count(op);
    }

    private enum Effect {
        FAIL,
        FULL
    }

    private record BadRange(String name, long fromAddress, long toAddress) {}

    private static final class Fault {
        private final Op op;
        private final Predicate<String> names;
        private final Effect effect;
        private final int writtenBytes;
        private int left;

        Fault(Op op, Predicate<String> names, int n, Effect effect, int writtenBytes) {
            this.op = op;
            this.names = names;
            this.left = n;
            this.effect = effect;
            this.writtenBytes = writtenBytes;
        }

        boolean strikes(Op current, String name) {
            return current == op && names.test(name) && left > 0 && --left == 0;
        }

        IOException exception() {
            return effect == Effect.FULL ? failure(op, Cause.NO_SPACE) : failure(op);
        }
    }

    /** Shared by a disk, its directories and its files. Guarded by itself, except {@code full}. */
    private static final class Faults {
        private final List<Fault> ordered = new ArrayList<>();
        private final List<BadRange> badRanges = new ArrayList<>();
        private final Map<Op, Long> counts = new EnumMap<>(Op.class);
        private final Map<Op, Cause> standing = new ConcurrentHashMap<>();
        private volatile boolean full;

        synchronized void add(Fault fault) {
            ordered.add(fault);
        }

        synchronized void add(BadRange range) {
            badRanges.add(range);
        }

        synchronized long count(Op op) {
            return counts.getOrDefault(op, 0L);
        }

        void happens(Op op, String name) throws IOException {
            Fault fault = next(op, name);
            if (fault != null) {
                throw fault.exception();
            }
            checkStanding(op);
        }

        void checkStanding(Op op) throws IOException {
            Cause cause = standing.get(op);
            if (cause != null) {
                throw failure(op, cause);
            }
        }

        synchronized @Nullable Fault next(Op op, String name) {
            counts.merge(op, 1L, Long::sum);
            Fault struck = null;
            for (Fault fault : ordered) {
                if (fault.strikes(op, name)) {
                    struck = fault;
                }
            }
            return struck;
        }

        void checkSpace() throws ShortageException {
            if (full) {
                throw new ShortageException(Kind.SPACE, "no space, on order");
            }
        }

        synchronized void checkRead(String name, long address, int length) throws IOException {
            for (BadRange range : badRanges) {
                if (range.name().equals(name)
                        && address < range.toAddress()
                        && address + length > range.fromAddress()) {
                    throw failure(Op.READ);
                }
            }
        }
    }

    /** With the message of {@link LocalDisk}. */
    private static IOException failure(Op op, Cause cause) {
        String message = op + " failed with " + cause + ", on order";
        boolean isFinal = op == Op.FORCE || op == Op.SYNC_DIRECTORY || op == Op.READ;
        return switch (cause) {
            case NO_SPACE -> isFinal ? new IOException(message) : new ShortageException(Kind.SPACE, message);
            case NO_QUOTA -> isFinal ? new IOException(message) : new ShortageException(Kind.QUOTA, message);
            case NO_DESCRIPTORS ->
                isFinal ? new IOException(message) : new ShortageException(Kind.DESCRIPTORS, message);
            case READ_ONLY, BROKEN -> new IOException(message);
        };
    }

    private static IOException failure(Op op) {
        return new IOException(op + " failed, on order");
    }

    @Override
    protected DiskFile file(DiskFile file) {
        return new FaultyFile(file);
    }

    @Override
    protected Disk below(Disk directory) {
        return new FaultyDisk(directory, faults);
    }

    @Override
    public DiskFile create(String name, IoMode mode) throws IOException {
        faults.happens(Op.CREATE, name);
        faults.checkSpace();
        return super.create(name, mode);
    }

    @Override
    public DiskFile open(String name, IoMode mode) throws IOException {
        faults.happens(Op.OPEN, name);
        return super.open(name, mode);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        faults.happens(Op.RENAME, from);
        super.rename(from, to);
    }

    @Override
    public void renameDurably(String from, String to) throws IOException {
        faults.checkStanding(Op.OPEN); // of the directory
        rename(from, to);
        syncDirectory();
    }

    @Override
    public void delete(String name) throws IOException {
        faults.happens(Op.DELETE, name);
        super.delete(name);
    }

    @Override
    public List<String> list() throws IOException {
        faults.happens(Op.LIST, "");
        return super.list();
    }

    @Override
    public void syncDirectory() throws IOException {
        faults.checkStanding(Op.OPEN); // of the directory
        faults.happens(Op.SYNC_DIRECTORY, "");
        super.syncDirectory();
    }

    @Override
    public long usableBytes() throws IOException {
        return faults.full ? 0 : super.usableBytes();
    }

    private final class FaultyFile extends ForwardingFile {
        private volatile boolean isWritten = true;
        private volatile boolean isRead;

        FaultyFile(DiskFile file) {
            super(file);
        }

        private void openToWrite() throws IOException {
            if (!isWritten) {
                faults.checkStanding(Op.OPEN);
                isWritten = true;
            }
        }

        private void openToRead() throws IOException {
            if (!isRead) {
                faults.checkStanding(Op.OPEN);
                isRead = true;
            }
        }

        @Override
        public void stopWriting() throws IOException {
            isWritten = false;
            super.stopWriting();
        }

        @Override
        public void write(long address, ByteBuffer source) throws IOException {
            openToWrite();
            Fault fault = faults.next(Op.WRITE, name());
            if (fault != null) {
                int count = Math.min(fault.writtenBytes, source.remaining());
                super.write(address, source.slice(source.position(), count));
                throw fault.exception();
            }
            faults.checkSpace();
            faults.checkStanding(Op.WRITE);
            super.write(address, source);
        }

        @Override
        public void write(long address, ByteBuffer[] sources) throws IOException {
            long at = address;
            for (ByteBuffer source : sources) {
                int length = source.remaining();
                write(at, source);
                at += length;
            }
        }

        @Override
        public void writeCached(long address, ByteBuffer source) throws IOException {
            write(address, source);
        }

        @Override
        public int read(long address, ByteBuffer target) throws IOException {
            openToRead();
            faults.happens(Op.READ, name());
            faults.checkRead(name(), address, target.remaining());
            return super.read(address, target);
        }

        @Override
        public int readPast(long address, ByteBuffer target) throws IOException {
            openToRead();
            faults.happens(Op.READ, name());
            faults.checkRead(name(), address, target.remaining());
            return super.readPast(address, target);
        }

        @Override
        public void force() throws IOException {
            openToWrite();
            faults.happens(Op.FORCE, name());
            super.force();
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            openToWrite();
            faults.happens(Op.TRUNCATE, name());
            super.truncate(sizeBytes);
        }

        @Override
        public void extend(long sizeBytes) throws IOException {
            openToWrite();
            faults.happens(Op.EXTEND, name());
            faults.checkSpace();
            super.extend(sizeBytes);
        }
    }
}
