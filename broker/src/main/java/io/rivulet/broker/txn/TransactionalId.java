package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.Timers;
import org.jspecify.annotations.Nullable;

/**
 * A transactional id: its image in the log, and what is in flight.
 *
 * <p>Owned by: the coordinator thread.
 */
final class TransactionalId {
    /** The last durable image. */
    TxnImage image;
    /** Whether an entry about it is in flight. Meanwhile other requests must retry. */
    boolean busy;
    /** Commits of offsets that are in flight; the transaction must not end before them. */
    int offsetsUnderWay;
    /** Aborts its transaction after the timeout; null until the first transaction. */
    Timers.@Nullable Timer timer;

    TransactionalId(TxnImage image) {
        this.image = image;
    }

    boolean isBusy() {
        return busy || offsetsUnderWay > 0 || image.state().isDecided();
    }
}
