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
     * As {@link #write}, but always through the page cache, so it does not wait for the disk: for few bytes that need not be durable
     * yet.
     */
    default void writeCached(long address, ByteBuffer source) throws IOException {
        write(address, source);
    }

    /** Reads until {@code target} is full or the file ends, and returns how many bytes that were. */
    int read(long address, ByteBuffer target) throws IOException;

    /**
     * Makes every write before this call durable, and the size. After a failure the contents of the disk are unknown: the caller must
     * not repeat the call for the same bytes and trust the result.
     */
    void force() throws IOException;

    long sizeBytes() throws IOException;

    /** Truncates the file; no effect on a shorter file. */
    void truncate(long sizeBytes) throws IOException;

    /** Extends the file to this size; new bytes read as zero. Allocates no space for them. */
    void extend(long sizeBytes) throws IOException;

    /**
     * Frees resources that only writing needs. Only reads may be running. A later write, force or truncation acquires them again.
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
