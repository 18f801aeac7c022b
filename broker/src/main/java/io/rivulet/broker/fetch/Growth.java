package io.rivulet.broker.fetch;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts the bytes appended to the queues of a session. One fetch may wait for a number of bytes. Thread-safe. */
public final class Growth {
    private static final long NO_GOAL = Long.MAX_VALUE;

    private final AtomicLong bytes = new AtomicLong();
    private volatile long goalBytes = NO_GOAL;
    private volatile @Nullable Runnable waiter;

    /** The bytes appended so far. */
    public long bytes() {
        return bytes.get();
    }

    /**
     * Runs the action, once or more often, on any thread, when so many bytes are appended in all. It must not block.
     */
    public void await(long goal, Runnable action) {
        waiter = action;
        goalBytes = goal;
        if (bytes.get() >= goal) {
            action.run();
        }
    }

    public void stopWaiting() {
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
