package io.rivulet.store.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of the local file system, read and written with {@code pread} and {@code pwrite}. It is not mapped: a page
 * fault costs more than the copy that it saves, and an I/O error in mapped memory ends the process.
 *
 * <p>Channels, see {@link Uninterrupted}: any thread uses {@code reader}, which uses the page cache, and {@code
 * pastReader}, which does not if the file is written by direct I/O. Both are opened when needed, see {@link OpenFiles}.
 * {@code writer} and {@code cachedWriter} are opened for the first write, and are null after {@link #stopWriting()}.
 * They change under this object's monitor, and belong to the thread that writes and forces.
 */
final class LocalDiskFile implements DiskFile {
    private static final Set<OpenOption> CACHED = Set.of(StandardOpenOption.WRITE);

    private final Path path;
    private final OpenFiles files;
    private final OpenFiles.Reader reader;
    private final OpenFiles.Reader pastReader;
    private final FileIdentity identity;
    private final Set<OpenOption> writeOptions;
    private final int alignmentBytes;
    private volatile @Nullable FileChannel writer;
    private volatile @Nullable FileChannel cachedWriter;
    private volatile boolean closed;

    /**
     * @param writer null as long as nothing is written
     * @param writeOptions for opening further writers
     */
    LocalDiskFile(
            Path path,
            OpenFiles files,
            @Nullable FileChannel writer,
            Set<OpenOption> writeOptions,
            int alignmentBytes) {
        this.path = path;
        this.files = files;
        this.reader = files.reader(path);
        this.pastReader = alignmentBytes == 1 ? reader : files.reader(path, readOptions(writeOptions));
        this.identity = new FileIdentity(path);
        this.writer = writer;
        this.writeOptions = writeOptions;
        this.alignmentBytes = alignmentBytes;
    }

    private static Set<OpenOption> readOptions(Set<OpenOption> writeOptions) {
        Set<OpenOption> options = new HashSet<>(writeOptions);
        options.remove(StandardOpenOption.WRITE);
        options.add(StandardOpenOption.READ);
        return options;
    }

    @Override
    public String name() {
        return String.valueOf(path.getFileName());
    }

    @Override
    public void checkName() throws IOException {
        identity.check();
    }

    @Override
    public void write(long address, ByteBuffer source) throws IOException {
        write(writer(), address, source);
    }

    /**
     * The kernel keeps direct and cached writes consistent. They must not touch the same page while a direct write
     * runs.
     */
    @Override
    public void writeCached(long address, ByteBuffer source) throws IOException {
        write(alignmentBytes == 1 ? writer() : cachedWriter(), address, source);
    }

    private void write(FileChannel channel, long address, ByteBuffer source) throws IOException {
        changing(() -> {
            long at = address;
            while (source.hasRemaining()) {
                at += channel.write(source, at);
            }
        });
    }

    @Override
    public void write(long address, ByteBuffer[] sources) throws IOException {
        FileChannel channel = writer();
        changing(() -> {
            channel.position(address);
            int first = 0;
            while (first < sources.length) {
                channel.write(sources, first, sources.length - first);
                while (first < sources.length && !sources[first].hasRemaining()) {
                    first++;
                }
            }
        });
    }

    private FileChannel writer() throws IOException {
        FileChannel there = writer;
        return there != null ? there : openWriter();
    }

    private synchronized FileChannel openWriter() throws IOException {
        requireNotClosed();
        FileChannel there = writer;
        if (there == null) {
            there = files.open(path, writeOptions);
            writer = there;
        }
        return there;
    }

    private FileChannel cachedWriter() throws IOException {
        FileChannel there = cachedWriter;
        return there != null ? there : openCachedWriter();
    }

    private synchronized FileChannel openCachedWriter() throws IOException {
        requireNotClosed();
        FileChannel opened = files.open(path, CACHED);
        cachedWriter = opened;
        return opened;
    }

    private void requireNotClosed() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(long address, ByteBuffer target) throws IOException {
        return read(reader, 1, address, target);
    }

    @Override
    public int readPast(long address, ByteBuffer target) throws IOException {
        return read(pastReader, alignmentBytes, address, target);
    }

    private int read(OpenFiles.Reader from, int unitBytes, long address, ByteBuffer target) throws IOException {
        int start = target.position();
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                FileChannel channel = from.acquire();
                try {
                    return readFully(channel, unitBytes, address, target.position(start));
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                } catch (ClosedChannelException e) {
                    // An interrupt hit another reader of this file, or the file was closed: the next iteration shows
                    // which.
                } finally {
                    from.release();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A direct read that ends between two units has reached the end of the file. */
    private static int readFully(FileChannel channel, int unitBytes, long address, ByteBuffer target)
            throws IOException {
        int start = target.position();
        int count = 0;
        while (target.hasRemaining() && count >= 0 && count % unitBytes == 0) {
            count = channel.read(target, address + target.position() - start);
        }
        return target.position() - start;
    }

    /**
     * Does not force the times of the file, which are not used and would cost a journal entry each. No failure is a
     * shortage here: written bytes are lost, so it is final.
     */
    @Override
    public void force() throws IOException {
        FileChannel channel = writer();
        Uninterrupted.run(() -> channel.force(false));
    }

    @Override
    public long sizeBytes() throws IOException {
        long[] sizeBytes = new long[1];
        FileChannel there = writer;
        if (there != null) {
            Uninterrupted.run(() -> sizeBytes[0] = there.size());
            return sizeBytes[0];
        }
        FileChannel channel = reader.acquire();
        try {
            Uninterrupted.run(() -> sizeBytes[0] = channel.size());
            return sizeBytes[0];
        } finally {
            reader.release();
        }
    }

    @Override
    public long modifiedMillis() throws IOException {
        return Files.getLastModifiedTime(path).toMillis();
    }

    @Override
    public void truncate(long sizeBytes) throws IOException {
        FileChannel channel = writer();
        changing(() -> channel.truncate(sizeBytes));
    }

    @Override
    public void extend(long sizeBytes) throws IOException {
        if (sizeBytes() >= sizeBytes) {
            return;
        }
        ByteBuffer last = ByteBuffer.allocateDirect(2 * alignmentBytes).alignedSlice(alignmentBytes);
        last.limit(alignmentBytes);
        write(sizeBytes - alignmentBytes, last);
    }

    @Override
    public int alignmentBytes() {
        return alignmentBytes;
    }

    @Override
    public synchronized void stopWriting() throws IOException {
        FileChannel cached = cachedWriter;
        cachedWriter = null;
        FileChannel direct = writer;
        writer = null;
        try {
            if (cached != null) {
                cached.close();
            }
        } finally {
            if (direct != null) {
                direct.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        try {
            try {
                reader.close();
            } finally {
                pastReader.close();
            }
        } finally {
            stopWriting();
        }
    }

    private void changing(Uninterrupted.IoAction action) throws IOException {
        try {
            Uninterrupted.run(action);
        } catch (IOException e) {
            throw DiskErrors.of(path, e);
        }
    }
}
