package io.rivulet.store.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A file of the local file system, read and written with {@code pread} and {@code pwrite}: not mapped, for a page fault
 * costs more than the copy that it saves, and an I/O error in mapped memory ends the process.
 *
 * <p>Channels, see {@link Uninterrupted}: {@code reader} is read by anybody, and replaced, under this object's monitor, when an interrupt has
 * closed it; {@code writer} is final; {@code cachedWriter} is opened by the first cached write to a direct file, and belongs to
 * whoever writes. Reads are never direct: readers want the page cache, and any alignment.
 */
final class LocalDiskFile implements DiskFile {
    private final Path path;
    private final FileChannel writer;
    private final int alignmentBytes;
    private volatile @Nullable FileChannel reader;
    private @Nullable FileChannel cachedWriter;
    private boolean closed;

    LocalDiskFile(Path path, FileChannel writer, int alignmentBytes) {
        this.path = path;
        this.writer = writer;
        this.alignmentBytes = alignmentBytes;
    }

    @Override
    public String name() {
        return String.valueOf(path.getFileName());
    }

    @Override
    public void write(long address, ByteBuffer source) throws IOException {
        write(writer, address, source);
    }

    /** The kernel keeps both ways to the file in step; they must not overlap within a page while a direct write runs. */
    @Override
    public void writeCached(long address, ByteBuffer source) throws IOException {
        if (cachedWriter == null) {
            cachedWriter = alignmentBytes == 1 ? writer : FileChannel.open(path, StandardOpenOption.WRITE);
        }
        write(cachedWriter, address, source);
    }

    private void write(FileChannel channel, long address, ByteBuffer source) throws IOException {
        writing(() -> {
            long at = address;
            while (source.hasRemaining()) {
                at += channel.write(source, at);
            }
        });
    }

    @Override
    public void write(long address, ByteBuffer[] sources) throws IOException {
        writing(() -> {
            writer.position(address);
            int first = 0;
            while (first < sources.length) {
                writer.write(sources, first, sources.length - first);
                while (first < sources.length && !sources[first].hasRemaining()) {
                    first++;
                }
            }
        });
    }

    @Override
    public int read(long address, ByteBuffer target) throws IOException {
        int start = target.position();
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                FileChannel there = reader;
                FileChannel channel = there != null && there.isOpen() ? there : openReader();
                try {
                    return readFully(channel, address, target.position(start));
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                } catch (ClosedChannelException e) {
                    // The interrupt hit another reader of this file, or the file was closed: openReader tells which.
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static int readFully(FileChannel channel, long address, ByteBuffer target) throws IOException {
        int start = target.position();
        while (target.hasRemaining()) {
            if (channel.read(target, address + target.position() - start) < 0) {
                break;
            }
        }
        return target.position() - start;
    }

    private synchronized FileChannel openReader() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        FileChannel there = reader;
        if (there == null || !there.isOpen()) {
            there = FileChannel.open(path, StandardOpenOption.READ);
            reader = there;
        }
        return there;
    }

    /** Without the file's times: nobody reads them, and they would cost a journal entry each time. */
    @Override
    public void force() throws IOException {
        Uninterrupted.run(() -> writer.force(false));
    }

    @Override
    public long sizeBytes() throws IOException {
        long[] sizeBytes = new long[1];
        Uninterrupted.run(() -> sizeBytes[0] = writer.size());
        return sizeBytes[0];
    }

    @Override
    public void truncate(long sizeBytes) throws IOException {
        Uninterrupted.run(() -> writer.truncate(sizeBytes));
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
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
            FileChannel there = reader;
            if (there != null) {
                there.close();
            }
        }
        if (cachedWriter != null) {
            cachedWriter.close();
        }
        writer.close();
    }

    /** Tells a full disk from a broken one; all that the platform gives away is the text of its error. */
    private void writing(Uninterrupted.IoAction action) throws IOException {
        try {
            Uninterrupted.run(action);
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            if (message.contains("no space left") || message.contains("quota exceeded")) {
                throw new DiskFullException(path + ": no space left on the disk", e);
            }
            throw e;
        }
    }
}
