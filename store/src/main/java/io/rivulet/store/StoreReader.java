package io.rivulet.store;

import java.io.IOException;
import java.util.OptionalLong;

/**
 * Reads queues. Returns durable records only.
 *
 * <p>Owned by: one thread; create one for each. All methods except {@link #readTail} may wait for a disk.
 */
public interface StoreReader {
    /**
     * Passes whole batches to the sink. Begins with the batch that holds {@code offset}, or with the next one if
     * compaction has removed it. Ends when the sink has enough, after about {@code maxBytes}, or at the end of the
     * queue. Passes at least one batch if there is one.
     *
     * @throws IOException if data for this read is damaged or can't be read; other reads are not affected
     */
    ReadStatus read(int queueId, long offset, int maxBytes, BatchSink sink) throws IOException;

    /**
     * As {@link #read}, but from the tail only, so it never waits for a disk and an event loop may call it. Returns
     * {@link ReadStatus#NOT_IN_TAIL} for older records, and for large batches, which stay in the log.
     */
    ReadStatus readTail(int queueId, long offset, int maxBytes, BatchSink sink);

    /**
     * Where to search for the first batch with at least this timestamp: its offset if it is in a block file, else the
     * start of the tail. Reads directories of block files, and one block.
     */
    long seek(int queueId, long offset, long timestamp) throws IOException;

    /**
     * The same for the batch with the highest timestamp in block files; batches in the tail must be compared with it.
     */
    OptionalLong seekHighest(int queueId, long offset) throws IOException;

    /** Records before this offset are in block files or deleted. */
    long tailStart(int queueId);

    /**
     * Bytes of the batches of the queue. Counts whole blocks at the start, so the result is a little too large after a
     * trim. Reads directories of block files, and the tail.
     */
    long sizeBytes(int queueId) throws IOException;
}
