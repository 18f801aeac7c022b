package io.rivulet.store.open;

import io.rivulet.store.retention.Retention;
import io.rivulet.store.writer.LogWriter;
import io.rivulet.store.writer.TrimRequest;

/** Connects retention to the log writer and the background thread. Immutable. */
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
