package io.rivulet.broker.fetch;

import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import java.util.List;
import java.util.function.LongPredicate;

/** The ends of transactions in each queue, for read_committed fetches. Any thread. */
public interface StableOffsets {
    /** Instead of an offset: no transaction is open. */
    long NONE_OPEN = Long.MAX_VALUE;

    /**
     * The first offset of an open transaction in the queue. A caller that reads the end offset of the queue before gets
     * all open transactions below it.
     */
    long firstOpenOffset(int queueId);

    /**
     * The aborted transactions of these producers that overlap the range. Must be called after
     * {@link #firstOpenOffset}.
     *
     * @param producers which producers have a batch in the range; asked only if transactions overlap it
     */
    List<AbortedTransaction> aborted(int queueId, long fromOffset, long untilOffset, LongPredicate producers);

    /**
     * Increases before the queue forgets an aborted transaction. If it is the same before the records are read and
     * after {@link #aborted} returned, that list is complete.
     */
    long forgotten(int queueId);

    /** The growth for waiting fetches when a batch of so many bytes is published. Log-writer thread. */
    int grownBytes(int queueId, int payloadBytes);
}
