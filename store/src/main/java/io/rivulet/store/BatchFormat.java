package io.rivulet.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What compaction has to know of the inside of batches. A batch lies between position and limit of its buffer, which both stay, and is
 * lent for the call. A batch that can't be understood makes any of these throw a RuntimeException: its queue is then left as it is.
 *
 * <p>Called by the background thread alone, but for {@link #compactableBefore}.
 */
public interface BatchFormat {
    /** What a batch is to compaction. */
    enum Kind {
        /** Records of no transaction. */
        RECORDS,
        /** Records that count when their transaction is committed. */
        TRANSACTION_RECORDS,
        /** Says that the transaction that its producer has open in this queue is committed. */
        COMMIT,
        /** Says that it is aborted. */
        ABORT,
        /** None of these: it stays. */
        OTHER
    }

    Kind kind(ByteBuffer batch);

    /** Whose transaction it is about, or part of. */
    long producerId(ByteBuffer batch);

    /** Shows all records that have a key, in the order of their offsets. */
    void forEachKey(ByteBuffer batch, KeyVisitor visitor);

    /**
     * The batch without the records that are not chosen, and those that compaction takes by itself: old tombstones, records without a
     * key. It ends at the same offset.
     *
     * @return the same buffer if the batch stays as it is; null if nothing remains; else one that is good until the next call
     */
    @Nullable
    ByteBuffer reduce(ByteBuffer batch, Choice choice, long nowMillis, long deleteRetentionMillis);

    /**
     * A marker with no record of its transaction in front of it: as it is while it has to stay, later with the time at which it may go.
     *
     * @return the same buffer if the batch stays as it is; null if it may go; else one that is good until the next call
     */
    @Nullable
    ByteBuffer reduceMarker(int queueId, long offset, ByteBuffer batch, long nowMillis, long deleteRetentionMillis);

    long maxTimestamp(ByteBuffer batch);

    /** Whether aborted transactions of the queue are known, which readers are told of. */
    boolean listsAborted(int queueId);

    /** Whether those are so many that the queue is to be compacted however little of it is dirty. */
    default boolean listsTooManyAborted(int queueId) {
        return false;
    }

    /**
     * No record of an aborted transaction is left whose marker lies before the offset: the files without them are durable, and no read
     * that begins now finds such a record.
     */
    void abortedAreGone(int queueId, long beforeOffset);

    /** No transaction is open that began before this offset. Any thread. */
    long compactableBefore(int queueId);

    /** Is told of the keys of a batch. */
    @FunctionalInterface
    interface KeyVisitor {
        /**
         * @param offsetDelta of the record, against the first of the batch
         * @param hash1 with {@code hash2}: equal keys, and no others, have the same; bits as if by chance
         */
        void key(int offsetDelta, long hash1, long hash2);
    }

    /** Says which records of a batch stay. */
    @FunctionalInterface
    interface Choice {
        boolean keeps(int offsetDelta);
    }
}
