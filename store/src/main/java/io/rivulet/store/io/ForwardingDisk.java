package io.rivulet.store.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Forwards all calls to another disk. Subclasses override some of them. Immutable. */
public class ForwardingDisk implements Disk {
    private final Disk disk;

    public ForwardingDisk(Disk disk) {
        this.disk = disk;
    }

    /** Every opened file passes through here. */
    protected DiskFile file(DiskFile file) {
        return file;
    }

    /** Every directory below passes through here. */
    protected Disk below(Disk directory) {
        return directory;
    }

    @Override
    public DiskFile create(String name, IoMode mode) throws IOException {
        return file(disk.create(name, mode));
    }

    @Override
    public DiskFile open(String name, IoMode mode) throws IOException {
        return file(disk.open(name, mode));
    }

    @Override
    public boolean exists(String name) throws IOException {
        return disk.exists(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void renameDurably(String from, String to) throws IOException {
        disk.renameDurably(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        disk.delete(name);
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public void syncDirectory() throws IOException {
        disk.syncDirectory();
    }

    @Override
    public long usableBytes() throws IOException {
        return disk.usableBytes();
    }

    @Override
    public Disk directory(String name) throws IOException {
        return below(disk.directory(name));
    }

    @Override
    public DirectoryLock lock() throws IOException {
        return disk.lock();
    }

    @Override
    public String describe() {
        return disk.describe();
    }

    /** Forwards all calls to another file. Subclasses override some of them. Immutable. */
    public static class ForwardingFile implements DiskFile {
        private final DiskFile file;

        public ForwardingFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public void write(long address, ByteBuffer source) throws IOException {
            file.write(address, source);
        }

        @Override
        public void write(long address, ByteBuffer[] sources) throws IOException {
            file.write(address, sources);
        }

        @Override
        public void writeCached(long address, ByteBuffer source) throws IOException {
            file.writeCached(address, source);
        }

        @Override
        public int read(long address, ByteBuffer target) throws IOException {
            return file.read(address, target);
        }

        @Override
        public int readPast(long address, ByteBuffer target) throws IOException {
            return file.readPast(address, target);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public long sizeBytes() throws IOException {
            return file.sizeBytes();
        }

        @Override
        public long modifiedMillis() throws IOException {
            return file.modifiedMillis();
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            file.truncate(sizeBytes);
        }

        @Override
        public void extend(long sizeBytes) throws IOException {
            file.extend(sizeBytes);
        }

        @Override
        public void stopWriting() throws IOException {
            file.stopWriting();
        }

        @Override
        public void checkName() throws IOException {
            file.checkName();
        }

        @Override
        public int alignmentBytes() {
            return file.alignmentBytes();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
