package io.rivulet.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and rewrites batches for compaction. A batch is between position and limit of its buffer and is lent for the
 * call; position and limit must not change. Every method throws a RuntimeException for a batch that it can't read;
 * compaction then skips the queue.
 *
 * <p>Called on the background thread only, except {@link #compactableBefore}.
 */
public interface BatchFormat {
    /** What a batch is to compaction. */
    enum Kind {
        /** Records of no transaction. */
        RECORDS,
        /** Records that count when their transaction is committed. */
        TRANSACTION_RECORDS,
        /** A marker that commits the open transaction of its producer in this queue. */
        COMMIT,
        /** A marker that aborts it. */
        ABORT,
        /** Anything else; compaction keeps it. */
        OTHER
    }

    /** What the batch is. Of a batch without a marker, the first {@link BatchGate#HUGE_HEAD_BYTES} are enough. */
    Kind kind(ByteBuffer batch);

    /** Longer batches are not read: their records replace no others, and are never removed one by one. */
    default int maxReadBytes() {
        return Integer.MAX_VALUE;
    }

    /**
     * The producer of the transaction that the batch is part of or ends. The first {@link BatchGate#HUGE_HEAD_BYTES}
     * are enough.
     */
    long producerId(ByteBuffer batch);

    /** Calls the visitor for all records with a key, in offset order. */
    void forEachKey(ByteBuffer batch, KeyVisitor visitor);

    /**
     * Removes the records that are not chosen, old tombstones, and records without a key. The batch ends at the same
     * offset as before.
     *
     * @return the same buffer if nothing changes, or if what remains is too large for a group of the log; null if
     *     nothing remains; else a buffer that is valid until the next call
     */
    @Nullable
    ByteBuffer reduce(ByteBuffer batch, Choice choice, long nowMillis, long deleteRetentionMillis);

    /**
     * Decides about a marker whose transaction has no records left. First the marker gets the time from which it may be
     * removed. After that time it is removed.
     *
     * @return the same buffer if nothing changes; null to remove it; else a buffer that is valid until the next call
     */
    @Nullable
    ByteBuffer reduceMarker(int queueId, long offset, ByteBuffer batch, long nowMillis, long deleteRetentionMillis);

    long maxTimestamp(ByteBuffer batch);

    /** Whether the owner keeps a list of aborted transactions for the queue. */
    boolean listsAborted(int queueId);

    /** Whether that list is so long that the queue must be compacted even if little of it is dirty. */
    default boolean listsTooManyAborted(int queueId) {
        return false;
    }

    /**
     * Called when no record is left of the aborted transactions whose markers are before the offset. The files without
     * these records are durable, and no read that begins now finds one.
     */
    void abortedRecordsRemoved(int queueId, long beforeOffset);

    /** The offset before which no open transaction begins. Any thread. */
    long compactableBefore(int queueId);

    /** Visits the keys of a batch. */
    @FunctionalInterface
    interface KeyVisitor {
        /**
         * @param offsetDelta offset of the record, relative to the first of the batch
         * @param hash1 with {@code hash2} a hash of 128 bits, evenly distributed, that is equal for equal keys only
         */
        void key(int offsetDelta, long hash1, long hash2);
    }

    /** Chooses which records of a batch stay. */
    @FunctionalInterface
    interface Choice {
        boolean keeps(int offsetDelta);
    }
}
