package io.rivulet.store;

/** Is notified of each batch when consumers can read it. Not called during a replay. */
@FunctionalInterface
public interface PublishListener {
    PublishListener NONE = (queueId, endOffset, payloadBytes) -> {};

    /**
     * One batch or a group of batches has just become readable; {@link #published} follows for each. Log-writer thread.
     */
    default void publishing() {}

    /**
     * The queue has a new batch of {@code payloadBytes} and ends at this offset or a later one. Called on the
     * log-writer thread after the batch can be read and before its append completes. Must not block.
     */
    void published(int queueId, long endOffset, int payloadBytes);
}
