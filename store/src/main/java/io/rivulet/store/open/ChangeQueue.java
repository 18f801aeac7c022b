package io.rivulet.store.open;

import io.rivulet.store.writer.Change;
import io.rivulet.store.writer.LogWriter;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Changes on their way to the log writer: none overtakes another, also when there is no room for the first. Guarded by itself,
 * for as long as it takes to offer one.
 */
final class ChangeLine {
    private final LogWriter writer;
    private final RoomBell room;
    private final Deque<Change<?>> waiting = new ArrayDeque<>();

    ChangeLine(LogWriter writer, RoomBell room) {
        this.writer = writer;
        this.room = room;
    }

    synchronized void offer(Change<?> change) {
        if (!waiting.isEmpty()) {
            waiting.add(change);
        } else if (!writer.offer(change)) {
            waiting.add(change);
            awaitRoom();
        }
    }

    private synchronized void offerWaiting() {
        while (!waiting.isEmpty() && writer.offer(waiting.element())) {
            waiting.remove();
        }
        if (!waiting.isEmpty()) {
            awaitRoom();
        }
    }

    private void awaitRoom() {
        room.await(this::offerWaiting);
        writer.signal();
    }
}
