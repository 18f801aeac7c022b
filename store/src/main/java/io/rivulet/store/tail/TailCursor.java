package io.rivulet.store.tail;

import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.stream.StreamRecord;
import io.rivulet.store.stream.StreamRecordHeader;
import java.nio.ByteBuffer;

/**
 * A reader's place in the chain of a queue, and the result of its last read. A reader that continues where it stopped
 * keeps its cursor, so that it does not walk the chain from its head again; other readers may use one cursor for all
 * queues. A cursor need not be closed: its place is checked before and after each use.
 *
 * <p>Owned by: the reader that created it, one thread at a time.
 */
public final class TailCursor {
    static final int NO_QUEUE_ID = -1;

    /** Joins the parts of a header that spans chunks. Direct, as the slabs are: one kind of buffer to decode. */
    final ByteBuffer scratch = ByteBuffer.allocateDirect(StreamRecord.MAX_HEADER_BYTES);

    final StreamRecordHeader header = new StreamRecordHeader();

    int queueId = NO_QUEUE_ID;
    int chunk;
    int at;
    long offset;

    /** Where the last read began: the next reader of the same queue often reads the same. */
    int startChunk;

    int startAt;
    long startOffset;
    int bytes;
    int batches;

    /** Forgets the place; the next read begins at the chain's head. */
    public void reset() {
        queueId = NO_QUEUE_ID;
        startOffset = 0;
        offset = 0;
        bytes = 0;
        batches = 0;
    }

    /** Puts the place back to where the last read began. */
    void backToStart() {
        chunk = startChunk;
        at = startAt;
        offset = startOffset;
    }

    /** First offset of the first record that was copied. Not above the requested offset. */
    public long startOffset() {
        return startOffset;
    }

    /** The offset after the last record that was copied; the next read begins there. */
    public long endOffset() {
        return offset;
    }

    /** Bytes that were copied, or with {@link TailRead#TOO_SMALL} needed. */
    public int bytes() {
        return bytes;
    }

    /** Records of the stream, each one batch, that were copied. */
    public int batches() {
        return batches;
    }

    /** The place of {@link #endOffset} in the chain, for {@link Tail#releaseAll} only. */
    public long boundary() {
        return QueueRow.head(chunk, at);
    }
}
