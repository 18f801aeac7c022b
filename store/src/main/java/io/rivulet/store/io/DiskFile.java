package io.rivulet.store.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One open file. An {@code address} is the place of a byte in it.
 *
 * <p>Threads: any thread reads, also while another thread writes elsewhere in the file. One thread at a time writes.
 * {@link #force()} may run on a further thread while writes continue; it covers the writes that returned before it was
 * called.
 *
 * <p>The caller always owns the buffers. After a normal return their position equals their limit, except after a read
 * that reached the end of the file. After an exception their position is undefined.
 */
public interface DiskFile extends Closeable {
    String name();

    /** Writes all of {@code source}. A part of it may be written when this throws. */
    void write(long address, ByteBuffer source) throws IOException;

    /** Writes all of {@code sources}, one after the other. A part may be written when this throws. */
    void write(long address, ByteBuffer[] sources) throws IOException;

    /**
     * As {@link #write}, but always through the page cache, so it does not wait for the disk: for a few bytes that need
     * not be durable yet.
     */
    default void writeCached(long address, ByteBuffer source) throws IOException {
        write(address, source);
    }

    /** Reads until {@code target} is full or the file ends, and returns the number of bytes. */
    int read(long address, ByteBuffer target) throws IOException;

    /**
     * As {@link #read}, but past the page cache, if the file was opened for direct I/O: for many bytes that will not be
     * read again. Address, length and memory must be multiples of {@link #alignmentBytes()}.
     */
    default int readPast(long address, ByteBuffer target) throws IOException {
        return read(address, target);
    }

    /**
     * Makes the size and every write before this call durable. After a failure the content of the disk is unknown: the
     * caller must not repeat the call for the same bytes and trust the result.
     */
    void force() throws IOException;

    long sizeBytes() throws IOException;

    /** The wall clock's time of the last change of the bytes; -1 if it is unknown. A crash may lose it. */
    default long modifiedMillis() throws IOException {
        return -1;
    }

    /** Truncates the file; no effect on a shorter file. */
    void truncate(long sizeBytes) throws IOException;

    /** Extends the file to this size; new bytes read as zero. Allocates no space for them. */
    void extend(long sizeBytes) throws IOException;

    /**
     * Frees resources that only writing needs. Only reads may be running. A later write, force or truncation acquires
     * them again.
     */
    default void stopWriting() throws IOException {}

    /**
     * Checks that the file still has its name. Cheap; the first call records the identity of the file.
     *
     * @throws IOException if the file or its directory was removed, moved away or replaced
     */
    default void checkName() throws IOException {}

    /** Addresses, lengths and memory of direct I/O must be multiples of this; 1 for buffered files. */
    int alignmentBytes();

    @Override
    void close() throws IOException;
}
