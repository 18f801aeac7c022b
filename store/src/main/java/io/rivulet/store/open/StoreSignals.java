package io.rivulet.store.open;

import java.util.concurrent.ConcurrentLinkedQueue;

/** Those who were turned away, and are called when there is room again. Thread-safe. */
final class RoomBell {
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    void await(Runnable action) {
        waiting.add(action);
    }

    /** Calls everyone who waits now; who is turned away again, waits for the next time. */
    void ring() {
        for (int left = waiting.size(); left > 0; left--) {
            Runnable action = waiting.poll();
            if (action == null) {
                return;
            }
            action.run();
        }
    }
}
