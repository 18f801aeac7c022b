package io.rivulet.store.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One open file. An {@code address} is a byte's place in it.
 *
 * <p>Threads: any thread reads, also while another writes elsewhere in the file. One thread at a time writes. {@link
 * #force()} may run on a further thread while writes go on and covers those that had returned before it was called.
 *
 * <p>Buffers belong to the caller throughout. After a normal return their position equals their limit, but for a read that
 * met the end of the file. After an exception their position says nothing.
 */
public interface DiskFile extends Closeable {
    String name();

    /** Writes all of {@code source}. Some of it may be written when this throws. */
    void write(long address, ByteBuffer source) throws IOException;

    /** Writes all of {@code sources}, one after the other. Some may be written when this throws. */
    void write(long address, ByteBuffer[] sources) throws IOException;

    /**
     * As {@link #write}, but by way of the page cache also where the file is written past it: no waiting for the disk, for what is
     * little and need not be there yet.
     */
    default void writeCached(long address, ByteBuffer source) throws IOException {
        write(address, source);
    }

    /** Reads until {@code target} is full or the file ends, and returns how many bytes that were. */
    int read(long address, ByteBuffer target) throws IOException;

    /**
     * Makes every write before this call durable, and with them the size. After a failure nobody knows what the disk holds:
     * the caller must never call it again for the same bytes and believe the answer.
     */
    void force() throws IOException;

    long sizeBytes() throws IOException;

    /** Cuts the file off; no effect on a file that is no longer than that. */
    void truncate(long sizeBytes) throws IOException;

    /** Lets the file grow to this size; new bytes read as zero. The disk sets aside no space for them. */
    void extend(long sizeBytes) throws IOException;

    /**
     * The caller writes no more for now: what only writing needs is given back. Nothing is under way but reads. A later write, force or
     * truncation gets it again.
     */
    default void stopWriting() throws IOException {}

    /**
     * Whether the file would be found again by its name. Cheap; the first call remembers the file.
     *
     * @throws IOException when it, or its directory, was removed, moved away or replaced
     */
    default void checkName() throws IOException {}

    /** What addresses, lengths and memory of writes must be multiples of: 1 for buffered files. */
    int alignmentBytes();

    @Override
    void close() throws IOException;
}
