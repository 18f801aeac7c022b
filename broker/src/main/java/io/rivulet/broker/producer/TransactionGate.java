package io.rivulet.broker.producer;

import org.jspecify.annotations.Nullable;

/**
 * Who decides which producers may write in a transaction, and keeps what they have written. It is asked by the {@link SequenceGate}
 * about batches that carry the transactional flag, when their sequences are in order.
 *
 * <p>Threads: called by the log-writer thread, or before it starts; must not block.
 */
public interface TransactionGate {
    /** Knows of no transactions, and lets everything in. */
    TransactionGate NONE = new TransactionGate() {
        @Override
        public @Nullable BatchRefusal check(int queueId, long producerId, short epoch, boolean addsItself) {
            return null;
        }

        @Override
        public void written(long groupTimestamp, int queueId, long producerId, short epoch, long baseOffset) {}

        @Override
        public void ended(int queueId, long producerId, long markerOffset, boolean committed) {}
    };

    /**
     * Whether the producer may write to the queue within its transaction; from then on the queue belongs to it, also if the batch is
     * taken back.
     *
     * @param addsItself whether the batch adds the queue to the transaction; else that must have been done before
     * @return why it may not; null if it may
     */
    @Nullable
    BatchRefusal check(int queueId, long producerId, short epoch, boolean addsItself);

    /** The queue durably has such a batch; it cannot be read yet. Telling it twice does no harm. */
    void written(long groupTimestamp, int queueId, long producerId, short epoch, long baseOffset);

    /** The queue durably has the marker that ends the transaction there; it cannot be read yet. */
    void ended(int queueId, long producerId, long markerOffset, boolean committed);
}
