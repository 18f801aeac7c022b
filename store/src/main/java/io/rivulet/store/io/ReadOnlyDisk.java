package io.rivulet.store.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A directory of the local file system that is never changed, not even by locking it. Immutable. */
public final class ReadOnlyDisk implements Disk {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);

    private final Path path;
    private final OpenFiles files =
            new OpenFiles(FileDescriptors.ofThisProcess().forReading());

    public ReadOnlyDisk(Path path) {
        this.path = path;
    }

    @Override
    public DiskFile open(String name, IoMode mode) throws IOException {
        LocalDiskFile file = new LocalDiskFile(path.resolve(name), files, null, READ, 1);
        file.sizeBytes(); // Throws if the file does not exist.
        return file;
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
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

    @Override
    public long usableBytes() {
        return 0;
    }

    /** @throws NoSuchFileException if it does not exist */
    @Override
    public Disk directory(String name) throws IOException {
        Path below = path.resolve(name);
        if (!Files.isDirectory(below)) {
            throw new NoSuchFileException(below.toString());
        }
        return new ReadOnlyDisk(below);
    }

    /** Shared with other readers. If there is no lock file, the directory was never locked. */
    @Override
    public DirectoryLock lock() throws IOException {
        return LocalDirectoryLock.takeShared(path, files);
    }

    @Override
    public String describe() {
        return path.toString();
    }

    // ---- not supported ----

    @Override
    public DiskFile create(String name, IoMode mode) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void rename(String from, String to) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void delete(String name) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void syncDirectory() {
        throw new ReadOnlyFileSystemException();
    }
}
