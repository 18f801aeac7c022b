package io.rivulet.broker.fetch;

import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import java.util.List;

/** What is decided in each queue, for those that read only that. Any thread. */
public interface StableOffsets {
    /** Instead of an offset: nothing is open. */
    long NONE_OPEN = Long.MAX_VALUE;

    /**
     * The first offset of a transaction that is open in the queue. Whoever asks for the queue's end offset first knows of all that
     * is open below that.
     */
    long firstOpenOffset(int queueId);

    /** The aborted transactions with records in the range; to be asked after {@link #firstOpenOffset}. */
    List<AbortedTransaction> aborted(int queueId, long fromOffset, long untilOffset);

    /**
     * Grows before the queue forgets an aborted transaction. Who has read records while it stayed the same, and asks for what was
     * aborted in between, is told of all whose records it may have.
     */
    long forgotten(int queueId);

    /** How much the queue has grown for those that wait, when a batch of so many bytes has been published. Log-writer thread. */
    int grownBytes(int queueId, int payloadBytes);
}
