package io.rivulet.broker.producer;

import org.jspecify.annotations.Nullable;

/**
 * Decides which producers may write in a transaction, and records what they have written. The {@link SequenceGate}
 * calls it for transactional batches whose sequences are in order.
 *
 * <p>Threads: called by the log-writer thread, or before it starts; must not block.
 */
public interface TransactionGate {
    /**
     * Whether the producer may write to the queue within its transaction. From then on the queue belongs to the
     * transaction, even if the batch is not stored.
     *
     * @param addsItself whether the batch adds the queue to the transaction; otherwise it must have been added before
     * @return the reason why it may not; null if it may
     */
    @Nullable
    BatchRefusal check(int queueId, long producerId, short epoch, boolean addsItself);

    /** The batch is durable in the queue, and can't be read yet. A repeated call has no effect. */
    void written(long groupTimestamp, int queueId, long producerId, short epoch, long baseOffset);

    /** The marker that ends the transaction is durable in the queue, and can't be read yet. */
    void ended(int queueId, long producerId, long markerOffset, boolean committed);
}
