package io.rivulet.store.read;

import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogRanges;
import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Batches that stayed in the log, for a reader that goes through a queue, and memory for one that did not. The first
 * one is read together with the next ones that are close to it in the log. Each is verified before the reader gets it.
 *
 * <p>Owned by: the reader. Memory: nothing before the first large batch, then 1 MiB, or the size of the largest batch.
 */
final class LargeBatches {
    private static final int WINDOW_BYTES = 1 << 20;

    private final CommitLog log;
    private final StreamCursor ahead = new StreamCursor();
    private final LogRanges ranges = new LogRanges(WINDOW_BYTES / StreamRecord.REFERENCE_FROM_BYTES);
    private final CRC32C crc = new CRC32C();
    private ByteBuffer window = ByteBuffer.allocate(0);
    private int read;
    private int next;

    LargeBatches(CommitLog log) {
        this.log = log;
    }

    /** The next batch does not follow those that were read ahead. */
    void forget() {
        read = 0;
        next = 0;
    }

    /** Memory for one record with a batch in it, until the next call of {@link #find}. */
    ByteBuffer room(int bytes) {
        grow(bytes);
        return window.clear().limit(bytes);
    }

    private void grow(int bytes) {
        if (window.capacity() < Math.max(WINDOW_BYTES, bytes)) {
            window = ByteBuffer.allocateDirect(Math.max(WINDOW_BYTES, bytes));
        }
    }

    /**
     * Where in {@link #bytes} the batch begins that the cursor's record refers to. From one call to the next the cursor
     * moves to the next reference of the stream.
     *
     * @param wantedBytes how many bytes the reader will still read
     */
    int find(StreamCursor cursor, ByteBuffer stream, long wantedBytes) throws IOException {
        if (next == read) {
            collect(cursor, stream, wantedBytes);
            forget();
            read = log.read(ranges, window.clear());
        }
        int at = ranges.placeOf(next++);
        crc.reset();
        crc.update(window.slice(at, cursor.payloadLength()));
        if ((int) crc.getValue() != cursor.referenceCrc()) {
            throw new IOException("wrong checksum of a batch of " + cursor.payloadLength()
                    + " bytes in the log, group at lsn " + cursor.referenceLsn() + ", byte "
                    + cursor.referenceGroupOffset());
        }
        return at;
    }

    /** Valid until the next call of {@link #find}. */
    ByteBuffer bytes() {
        return window;
    }

    private void collect(StreamCursor cursor, ByteBuffer stream, long wantedBytes) {
        grow(cursor.payloadLength());
        ranges.clear();
        ahead.reset(stream, cursor.recordAt(), stream.limit(), cursor.baseOffset());
        long bytes = 0;
        while (!ranges.isFull() && ahead.next() && (bytes == 0 || bytes + ahead.payloadLength() <= wantedBytes)) {
            bytes += ahead.payloadLength();
            if (ahead.isReference() && !ahead.isHuge()) {
                ranges.add(ahead.referenceLsn(), ahead.referenceGroupOffset(), ahead.payloadLength());
            }
        }
    }
}
