package io.rivulet.store.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory of the local file system. Each call distinguishes shortages from other errors, see {@link DiskErrors}.
 * Immutable, except for the list of open files.
 */
public final class LocalDisk implements Disk {
    private static final int COMMON_BLOCK_BYTES = 4096;
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);

    private final Path path;
    private final OpenFiles files;

    /** The directory must exist. */
    public LocalDisk(Path path) {
        this(path, new OpenFiles(FileDescriptors.ofThisProcess().forReading()));
    }

    LocalDisk(Path path, OpenFiles files) {
        this.path = path;
        this.files = files;
    }

    /** Creates the directory and missing directories above it, durably. */
    public static LocalDisk create(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path above = absolute.getParent();
        if (above != null) {
            if (!Files.isDirectory(above)) {
                create(above);
            }
            new LocalDisk(above).directory(absolute.getFileName());
        }
        return new LocalDisk(path);
    }

    @Override
    public DiskFile create(String name, IoMode mode) throws IOException {
        return openFile(name, mode, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    }

    @Override
    public DiskFile open(String name, IoMode mode) throws IOException {
        return openFile(name, mode, Set.of(StandardOpenOption.WRITE));
    }

    private DiskFile openFile(String name, IoMode mode, Set<OpenOption> options) throws IOException {
        Path file = path.resolve(name);
        if (mode == IoMode.BUFFERED) {
            return new LocalDiskFile(file, files, files.open(file, options), Set.of(StandardOpenOption.WRITE), 1);
        }
        Set<OpenOption> past = new HashSet<>(options);
        try {
            past.add(direct());
            FileChannel writer = files.open(file, past);
            past.remove(StandardOpenOption.CREATE_NEW);
            return new LocalDiskFile(file, files, writer, past, blockBytes());
        } catch (UnsupportedOperationException e) {
            throw new DirectIoRefusedException(describe(), e);
        } catch (FileSystemException e) {
            throw refusesDirectIo(file, options, e) ? new DirectIoRefusedException(describe(), e) : e;
        }
    }

    /** The JDK can't find the block size if the mount is not listed, as inside a chroot. */
    private int blockBytes() {
        try {
            return Math.toIntExact(Files.getFileStore(path).getBlockSize());
        } catch (IOException e) {
            return COMMON_BLOCK_BYTES;
        }
    }

    /**
     * The JDK's own option, by its name: a newer javac warns about its package, and the warning can't be suppressed.
     */
    private static OpenOption direct() {
        try {
            Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            return (OpenOption) options.getField("DIRECT").get(null);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("this Java version has no direct I/O", e);
        }
    }

    /**
     * If a file system does not support direct I/O, the file can be opened in any other way. Some refuse after they
     * have created the file; it is deleted here. If the open failed because the file exists or is missing, it fails
     * again.
     */
    private boolean refusesDirectIo(Path file, Set<OpenOption> options, FileSystemException refusal)
            throws IOException {
        boolean creates = options.contains(StandardOpenOption.CREATE_NEW);
        boolean isOfItsOwnKind = refusal.getClass() != FileSystemException.class;
        if (isOfItsOwnKind) {
            return false;
        }
        Set<OpenOption> cached = creates
                ? Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE)
                : Set.of(StandardOpenOption.WRITE);
        try (FileChannel channel = files.open(file, cached)) {
            return channel.isOpen();
        } catch (FileSystemException e) {
            return false;
        } finally {
            if (creates) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        changing(() -> Files.move(path.resolve(from), path.resolve(to), StandardCopyOption.ATOMIC_MOVE));
    }

    @Override
    public void renameDurably(String from, String to) throws IOException {
        synced(() -> rename(from, to));
    }

    @Override
    public void delete(String name) throws IOException {
        changing(() -> Files.delete(path.resolve(name)));
    }

    private void changing(Uninterrupted.IoAction action) throws IOException {
        try {
            action.run();
        } catch (IOException e) {
            throw DiskErrors.of(path, e);
        }
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> found = Files.list(path)) {
            return found.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw DiskErrors.of(path, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw DiskErrors.ofOpen(path, e);
        }
    }

    @Override
    public void syncDirectory() throws IOException {
        synced(() -> {});
    }

    /**
     * Linux forces a directory that was opened for reading, like a file. The directory is opened before the change:
     * without a free descriptor, nothing is changed.
     */
    private void synced(Uninterrupted.IoAction change) throws IOException {
        Uninterrupted.run(() -> {
            try (FileChannel directory = files.open(path, READ)) {
                change.run();
                directory.force(true);
            }
        });
    }

    @Override
    public long usableBytes() throws IOException {
        // Does not use the FileStore, which searches a list of mounts that may be incomplete.
        long usable = path.toFile().getUsableSpace();
        if (usable == 0 && !Files.isDirectory(path)) {
            throw new NoSuchFileException(path.toString());
        }
        return usable;
    }

    @Override
    public Disk directory(String name) throws IOException {
        return directory(Path.of(name));
    }

    /** A process may have created an empty directory and ended before it was durable. */
    private LocalDisk directory(Path name) throws IOException {
        Path below = path.resolve(name);
        if (!Files.isDirectory(below)) {
            synced(() -> changing(() -> Files.createDirectory(below)));
        } else if (isEmpty(below)) {
            syncDirectory();
        }
        return new LocalDisk(below, files);
    }

    private static boolean isEmpty(Path below) throws IOException {
        try (Stream<Path> found = Files.list(below)) {
            return found.findAny().isEmpty();
        } catch (IOException e) {
            throw DiskErrors.ofOpen(below, e);
        }
    }

    @Override
    public DirectoryLock lock() throws IOException {
        return LocalDirectoryLock.take(path, files);
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
