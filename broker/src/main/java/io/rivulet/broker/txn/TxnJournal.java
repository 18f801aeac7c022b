package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.TransactionalOffsets.ViewEntry;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.store.Outcome;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The commit log and the source of producer ids, as transactions see them. Answers come on the coordinator thread. */
interface TxnJournal extends Journal {
    /** Markers of one transaction: the same in each queue. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Markers(long producerId, short epoch, boolean committed, int[] queueIds) {}

    /**
     * A marker that an administrator writes.
     *
     * @param coordinatorEpoch refused if it is older than that of the producer's last marker
     * @param raisesEpoch whether the epoch is higher than that of the transaction, as in the second protocol
     */
    record ForeignMarker(
            long producerId, short epoch, int coordinatorEpoch, boolean raisesEpoch, boolean committed, int queueId) {}

    /** Appends a marker if it is not older than what the producer has in the queue. */
    void append(ForeignMarker marker, Consumer<ErrorCode> done);

    /**
     * Appends an entry for the offsets of groups, markers, and an entry of transactions, in one log group or not at
     * all. The order relative to entries in flight is not defined, so the caller waits for those first. {@code done} is
     * called when all is durable and applied, or refused.
     */
    void append(Markers markers, @Nullable ViewEntry offsetsEntry, @Nullable ByteBuffer entry, Consumer<Outcome> done);

    /** A new producer id; null if there is none now. */
    void nextProducerId(Consumer<@Nullable Long> done);
}
