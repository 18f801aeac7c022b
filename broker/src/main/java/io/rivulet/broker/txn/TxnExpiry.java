package io.rivulet.broker.txn;

import io.rivulet.broker.config.TransactionSettings;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.Timers;
import java.util.List;

/**
 * Removes transactional ids that have not been used for long. It works in slices, so requests do not wait for it.
 *
 * <p>Owned by: the coordinator thread.
 */
final class TxnExpiry {
    private static final int IDS_PER_SLICE = 1024;
    private static final long PAUSE_MILLIS = 1;

    private final TransactionSettings settings;
    private final TxnCoordinator coordinator;
    private final TxnTable table;
    private final CoordinatorClock clock;
    private final Timers.Timer timer;
    private List<String> names = List.of();
    private int next;

    TxnExpiry(
            TransactionSettings settings,
            TxnCoordinator coordinator,
            TxnTable table,
            Timers timers,
            CoordinatorClock clock) {
        this.settings = settings;
        this.coordinator = coordinator;
        this.table = table;
        this.clock = clock;
        this.timer = timers.timer(this::slice);
    }

    void start() {
        timer.set(clock.nanosIn(settings.expiryIntervalMillis()));
    }

    private void slice() {
        if (next == names.size()) {
            names = table.names();
            next = 0;
        }
        long beforeMillis = clock.expiryMillis() - settings.idExpirationMillis();
        for (int left = IDS_PER_SLICE; left > 0 && next < names.size(); left--) {
            TransactionalId id = table.find(names.get(next++));
            if (id != null) {
                coordinator.expire(id, beforeMillis);
            }
        }
        boolean roundEnded = next == names.size();
        timer.set(clock.nanosIn(roundEnded ? settings.expiryIntervalMillis() : PAUSE_MILLIS));
    }
}
