package io.rivulet.broker.compact;

/** The transactions of a queue, as compaction sees them. Any thread. */
@FunctionalInterface
public interface DecidedTransactions {
    /** All transactions before this offset are committed or aborted. */
    long firstOpenOffset(int queueId);

    /** Whether the queue has aborted transactions that fetch responses list. */
    default boolean listsAborted(int queueId) {
        return false;
    }

    /** Whether their list takes so much memory that the queue will soon accept no more transactions. */
    default boolean listsTooManyAborted(int queueId) {
        return false;
    }

    /** Whether the transaction that the marker at the offset ends is listed. A crash does not change the result. */
    default boolean isListedAsAborted(int queueId, long markerOffset) {
        return false;
    }

    /** No record is left of aborted transactions with a marker before the offset, so they need not be listed. */
    default void abortedRecordsRemoved(int queueId, long beforeOffset) {}
}
