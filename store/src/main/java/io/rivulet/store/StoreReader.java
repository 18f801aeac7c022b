package io.rivulet.store;

import java.io.IOException;
import java.util.OptionalLong;

/**
 * Reads queues. Sees durable records only.
 *
 * <p>Owned by: one thread; make one for each. All methods but {@link #readTail} may wait for a disk.
 */
public interface StoreReader {
    /**
     * Hands on the batch that holds {@code offset}, or the next if compaction has taken that away, and those that follow, whole, until the sink has enough, about {@code maxBytes}
     * were handed on, or there are no more. At least one, if there is one.
     *
     * @throws IOException when something that this read needs is damaged or can't be read; others are not affected
     */
    ReadStatus read(int queueId, long offset, int maxBytes, BatchSink sink) throws IOException;

    /**
     * As {@link #read}, but from the tail alone, so it never waits for a disk: an event loop may have a reader for this. What lies
     * elsewhere is {@link ReadStatus#NOT_IN_TAIL}: older records, and large batches, which stay in the log.
     */
    ReadStatus readTail(int queueId, long offset, int maxBytes, BatchSink sink);

    /**
     * Where to look for the first batch that has a timestamp of at least this one: its offset if it is in a block file, else where the
     * tail begins. Looks at the directories of block files, and into one block.
     */
    long seek(int queueId, long offset, long timestamp) throws IOException;

    /** The same for the batch with the highest timestamp: what is in the tail is still to be compared with it. */
    OptionalLong seekHighest(int queueId, long offset) throws IOException;

    /** What is below is in block files, or is not there any more. */
    long tailStart(int queueId);

    /**
     * Bytes of the queue's batches: whole blocks at its front, so it is a little too much when it was trimmed. Looks at the
     * directories of block files, and at what is in the tail.
     */
    long sizeBytes(int queueId) throws IOException;
}
