package io.rivulet.broker.compact;

/** What compaction asks about the transactions of a queue, and what it says. Any thread. */
@FunctionalInterface
public interface DecidedTransactions {
    /** Before it all is committed or aborted. */
    long firstOpenOffset(int queueId);

    /** Whether readers are told of an aborted transaction of the queue. */
    default boolean listsAborted(int queueId) {
        return false;
    }

    /** Whether they take so much memory that the queue will soon get no more. */
    default boolean listsTooManyAborted(int queueId) {
        return false;
    }

    /** Whether they are told of the one that the marker at the offset ends. What was answered before a crash holds after it. */
    default boolean isListedAsAborted(int queueId, long markerOffset) {
        return false;
    }

    /** No record is left of those whose marker lies before the offset: readers need not be told any more. */
    default void abortedAreGone(int queueId, long beforeOffset) {}
}
