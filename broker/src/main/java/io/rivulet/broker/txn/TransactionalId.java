package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.Timers;
import org.jspecify.annotations.Nullable;

/**
 * A transactional id: what the log says of it, and what is under way.
 *
 * <p>Owned by: the thread that owns the groups.
 */
final class TransactionalId {
    /** As the log says. */
    TxnImage image;
    /** Whether an entry about it is on its way: others must come again. */
    boolean busy;
    /** Commits of offsets that are on their way, which the end must not overtake. */
    int offsetsUnderWay;
    /** Aborts its transaction; null until there is one. */
    Timers.@Nullable Timer timer;

    TransactionalId(TxnImage image) {
        this.image = image;
    }

    boolean isBusy() {
        return busy || offsetsUnderWay > 0 || image.state().isDecided();
    }
}
