package io.rivulet.broker.fetch;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How much has been appended to the queues of a session, and what waits until it is enough. Thread-safe; one fetch waits. */
final class Growth {
    private static final long NO_GOAL = Long.MAX_VALUE;

    private final AtomicLong bytes = new AtomicLong();
    private volatile long goalBytes = NO_GOAL;
    private volatile @Nullable Runnable waiter;

    /** Bytes that have been appended so far. */
    long bytes() {
        return bytes.get();
    }

    /** Runs the action, once or more often, when so many bytes have been appended in all; on any thread, and it must not block. */
    void await(long goal, Runnable action) {
        waiter = action;
        goalBytes = goal;
        if (bytes.get() >= goal) {
            action.run();
        }
    }

    void stopWaiting() {
        goalBytes = NO_GOAL;
        waiter = null;
    }

    void add(int moreBytes) {
        if (bytes.addAndGet(moreBytes) >= goalBytes) {
            Runnable action = waiter;
            if (action != null) {
                action.run();
            }
        }
    }
}
