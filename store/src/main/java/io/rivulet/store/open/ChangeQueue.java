package io.rivulet.store.open;

import io.rivulet.store.writer.Change;
import io.rivulet.store.writer.LogWriter;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * State changes on their way to the log writer, in order, also when there is no room for the first. Guarded by itself.
 */
final class ChangeQueue {
    private final LogWriter writer;
    private final StoreSignals signals;
    private final Deque<Change<?>> waiting = new ArrayDeque<>();

    ChangeQueue(LogWriter writer, StoreSignals signals) {
        this.writer = writer;
        this.signals = signals;
    }

    synchronized void offer(Change<?> change) {
        if (!waiting.isEmpty()) {
            waiting.add(change);
        } else if (!writer.offer(change)) {
            waiting.add(change);
            signals.whenRoom(this::offerWaiting);
        }
    }

    private synchronized void offerWaiting() {
        while (!waiting.isEmpty() && writer.offer(waiting.element())) {
            waiting.remove();
        }
        if (!waiting.isEmpty()) {
            signals.whenRoom(this::offerWaiting);
        }
    }
}
