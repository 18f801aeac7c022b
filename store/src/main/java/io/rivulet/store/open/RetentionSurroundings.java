package io.rivulet.store.open;

import io.rivulet.store.retention.Retention;
import io.rivulet.store.writer.LogWriter;
import io.rivulet.store.writer.TrimRequest;

/** The log writer and the background thread as retention sees them. Immutable. */
record RetentionSurroundings(LogWriter writer, StoreSignals signals) implements Retention.Surroundings {
    @Override
    public boolean offer(TrimRequest request) {
        return writer.offer(request);
    }

    @Override
    public void signal() {
        signals.signalMaintenance();
    }
}
