package io.rivulet.store.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A directory of the local file system. Immutable. */
public final class LocalDisk implements Disk {
    static final String LOCK_NAME = "lock";

    private static final int COMMON_BLOCK_BYTES = 4096;

    private final Path path;

    /** The directory must exist. */
    public LocalDisk(Path path) {
        this.path = path;
    }

    @Override
    public DiskFile create(String name, IoMode mode) throws IOException {
        return openFile(name, mode, StandardOpenOption.CREATE_NEW);
    }

    @Override
    public DiskFile open(String name, IoMode mode) throws IOException {
        return openFile(name, mode);
    }

    private DiskFile openFile(String name, IoMode mode, OpenOption... more) throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(more));
        options.add(StandardOpenOption.WRITE);
        Path file = path.resolve(name);
        if (mode == IoMode.BUFFERED) {
            return new LocalDiskFile(file, FileChannel.open(file, options), 1);
        }
        try {
            options.add(direct());
            return new LocalDiskFile(file, FileChannel.open(file, options), blockBytes());
        } catch (UnsupportedOperationException e) {
            throw new DirectIoRefusedException(describe(), e);
        } catch (IOException e) {
            if (!refusesDirectIo(e)) {
                throw e;
            }
            if (options.contains(StandardOpenOption.CREATE_NEW)) {
                Files.deleteIfExists(file); // some file systems refuse only after they have created it
            }
            throw new DirectIoRefusedException(describe(), e);
        }
    }

    /** Where the mount is not listed, as inside a chroot, the JDK can't look the size up. */
    private int blockBytes() {
        try {
            return Math.toIntExact(Files.getFileStore(path).getBlockSize());
        } catch (IOException e) {
            return COMMON_BLOCK_BYTES;
        }
    }

    /** The JDK's own option, by its name: a newer javac warns of its package, whatever one suppresses. */
    private static OpenOption direct() {
        try {
            Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            return (OpenOption) options.getField("DIRECT").get(null);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("this Java knows no direct I/O", e);
        }
    }

    /** Linux answers EINVAL when a file system does not know O_DIRECT; nothing else about these flags can be invalid. */
    private static boolean refusesDirectIo(IOException e) {
        String message = e.getMessage();
        return message != null && message.contains("Invalid argument");
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(path.resolve(from), path.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(path.resolve(name));
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** Linux forces a directory that is opened for reading like a file. */
    @Override
    public void syncDirectory() throws IOException {
        Uninterrupted.run(() -> {
            try (FileChannel directory = FileChannel.open(path, StandardOpenOption.READ)) {
                directory.force(true);
            }
        });
    }

    @Override
    public long usableBytes() throws IOException {
        // Not by way of the FileStore, which looks for the mount in a list that may not have it.
        long usable = path.toFile().getUsableSpace();
        if (usable == 0 && !Files.isDirectory(path)) {
            throw new NoSuchFileException(path.toString());
        }
        return usable;
    }

    @Override
    public Disk directory(String name) throws IOException {
        Path below = path.resolve(name);
        if (!Files.isDirectory(below)) {
            Files.createDirectory(below);
            syncDirectory();
        }
        return new LocalDisk(below);
    }

    @Override
    public Closeable lock() throws IOException {
        FileChannel channel =
                FileChannel.open(path.resolve(LOCK_NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new IOException(describe() + " is in use by another broker in this process", e);
        }
        channel.close();
        throw new IOException(describe() + " is in use by another process");
    }

    @Override
    public String describe() {
        return path.toString();
    }

    @Override
    public String toString() {
        return describe();
    }
}
