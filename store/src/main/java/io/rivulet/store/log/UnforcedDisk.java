package io.rivulet.store.log;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A disk that is never forced: {@link Durability#NONE}. */
record UnforcedDisk(Disk disk) implements Disk {
    @Override
    public DiskFile create(String name, IoMode mode) throws IOException {
        return new UnforcedFile(disk.create(name, mode));
    }

    @Override
    public DiskFile open(String name, IoMode mode) throws IOException {
        return new UnforcedFile(disk.open(name, mode));
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
    public void delete(String name) throws IOException {
        disk.delete(name);
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public void syncDirectory() {}

    @Override
    public long usableBytes() throws IOException {
        return disk.usableBytes();
    }

    @Override
    public Disk directory(String name) throws IOException {
        return new UnforcedDisk(disk.directory(name));
    }

    @Override
    public Closeable lock() throws IOException {
        return disk.lock();
    }

    @Override
    public String describe() {
        return disk.describe();
    }

    private record UnforcedFile(DiskFile file) implements DiskFile {
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
        public int read(long address, ByteBuffer target) throws IOException {
            return file.read(address, target);
        }

        @Override
        public void force() {}

        @Override
        public long sizeBytes() throws IOException {
            return file.sizeBytes();
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
        public int alignmentBytes() {
            return file.alignmentBytes();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
