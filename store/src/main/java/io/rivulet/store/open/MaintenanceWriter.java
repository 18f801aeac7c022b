package io.rivulet.store.open;

import io.rivulet.store.View;
import io.rivulet.store.checkpoint.Checkpointer.ViewStates;
import io.rivulet.store.maintenance.Maintenance;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.writer.LogWriter;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Connects maintenance to the log writer. Immutable. */
record MaintenanceWriter(LogWriter writer, QueueTable table, Collection<? extends View> views, StoreSignals signals)
        implements Maintenance.LogWriterSide {
    @Override
    public long appliedLsn() {
        return writer.appliedLsn();
    }

    @Override
    public long changedQueues() {
        return table.changed();
    }

    @Override
    public void signal() {
        writer.signal();
    }

    @Override
    public CompletableFuture<ViewStates> viewStates() {
        CompletableFuture<ViewStates> states = new CompletableFuture<>();
        writer.execute(() -> {
            Map<Integer, View.Snapshot> snapshots = new TreeMap<>();
            views.forEach(view -> snapshots.put(view.id(), view.snapshot()));
            states.complete(new ViewStates(writer.appliedLsn(), snapshots));
            signals.signalMaintenance();
        });
        return states;
    }
}
