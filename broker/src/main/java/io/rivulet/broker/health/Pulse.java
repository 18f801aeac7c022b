package io.rivulet.broker.health;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** Asks a thread for a sign of life, with one question at a time. Thread-safe. */
final class Pulse {
    private static final long NONE = 0;

    private final String thread;
    private final Executor tasks;
    /** When the question was asked that the thread has not answered. */
    private final AtomicLong askedNanos = new AtomicLong(NONE);

    /** @param tasks runs a short task on the thread */
    Pulse(String thread, Executor tasks) {
        this.thread = thread;
        this.tasks = tasks;
    }

    String thread() {
        return thread;
    }

    void ask(long nowNanos) {
        if (askedNanos.compareAndSet(NONE, nowNanos == NONE ? 1 : nowNanos)) {
            try {
                tasks.execute(() -> askedNanos.set(NONE));
            } catch (RejectedExecutionException e) {
                askedNanos.set(NONE); // the broker is closing, and this thread has ended
            }
        }
    }

    /** How long the thread has not answered; 0 if no question is open. */
    long silentNanos(long nowNanos) {
        long asked = askedNanos.get();
        return asked == NONE ? 0 : Math.max(1, nowNanos - asked);
    }
}
