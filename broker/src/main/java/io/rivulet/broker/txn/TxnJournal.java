package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.TransactionalOffsets.ViewEntry;
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
     * Appends what groups are told of the end, markers, and an entry, in one log group or not at all; told how that went when all is
     * durable and applied. Not before entries that are on their way, and not behind them: whoever calls waits for those.
     */
    void append(Markers markers, @Nullable ViewEntry offsetsEntry, @Nullable ByteBuffer entry, Consumer<Outcome> done);

    /** An id that no producer ever had; null if there is none now. */
    void nextProducerId(Consumer<@Nullable Long> done);
}
