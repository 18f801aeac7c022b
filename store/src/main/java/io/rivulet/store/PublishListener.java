package io.rivulet.store;

/** Is told of each batch when consumers can read it; not of those that are replayed. */
@FunctionalInterface
public interface PublishListener {
    PublishListener NONE = (queueId, endOffset, payloadBytes) -> {};

    /** Batches can be read since just now, and are about to be told: one or a whole group of them. Log-writer thread. */
    default void publishing() {}

    /**
     * The queue now ends at the offset or behind it; its new batch has so many bytes. Log-writer thread, after the batch can be
     * read and before its append is complete; must not block.
     */
    void published(int queueId, long endOffset, int payloadBytes);
}
