package io.rivulet.store.read;

import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogRanges;
import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Batches that stayed in the log, for a reader that goes through a queue. The first one is read together with those behind it that it
 * will come to, as many as lie close together in the log; each is verified when it is handed on.
 *
 * <p>Owned by: the reader. Memory: nothing before the first large batch, then 1 MiB, or as much as the largest has.
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

    /** What comes next has nothing to do with what was read ahead. */
    void forget() {
        read = 0;
        next = 0;
    }

    /**
     * Where in {@link #bytes} the batch begins to which the cursor's record refers. From one call to the next the cursor moves to the next
     * reference of the stream.
     *
     * @param wantedBytes what the reader will take from here on
     */
    int find(StreamCursor cursor, ByteBuffer stream, long wantedBytes) throws IOException {
        if (next == read) {
            collect(cursor, stream, wantedBytes);
            forget();
            read = log.read(ranges, window);
        }
        int at = ranges.placeOf(next++);
        crc.reset();
        crc.update(window.slice(at, cursor.payloadLength()));
        if ((int) crc.getValue() != cursor.referenceCrc()) {
            throw new IOException("the checksum of a batch of " + cursor.payloadLength()
                    + " bytes in the log, group at lsn " + cursor.referenceLsn() + ", byte "
                    + cursor.referenceGroupOffset() + ", does not hold");
        }
        return at;
    }

    /** Good until the next call of {@link #find}. */
    ByteBuffer bytes() {
        return window;
    }

    private void collect(StreamCursor cursor, ByteBuffer stream, long wantedBytes) {
        if (window.capacity() < Math.max(WINDOW_BYTES, cursor.payloadLength())) {
            window = ByteBuffer.allocateDirect(Math.max(WINDOW_BYTES, cursor.payloadLength()));
        }
        ranges.clear();
        ahead.reset(stream, cursor.recordAt(), stream.limit(), cursor.baseOffset());
        long bytes = 0;
        while (!ranges.isFull() && ahead.next() && (bytes == 0 || bytes + ahead.payloadLength() <= wantedBytes)) {
            bytes += ahead.payloadLength();
            if (ahead.isReference()) {
                ranges.add(ahead.referenceLsn(), ahead.referenceGroupOffset(), ahead.payloadLength());
            }
        }
    }
}
