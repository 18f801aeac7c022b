package io.rivulet.broker.environment;

import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.locks.LockSupport;

/** A daemon thread that repeats its work, and parks while there is nothing to do. Thread-safe. */
final class RepeaterThread implements Repeater {
    private static final long CLOSE_MILLIS = 10_000;
    private static final long LONGEST_PARK_NANOS = 1_000_000_000L;

    private final FailureLatch failures;
    private final Repeated work;
    private final Thread thread;
    private volatile boolean parked;
    /** Not the same as a thread that is not alive: that may be one that has not started yet. */
    private volatile boolean ended;

    RepeaterThread(String name, FailureLatch failures, Repeated work) {
        this.failures = failures;
        this.work = work;
        this.thread = failures.thread(name, this::run);
    }

    @Override
    public void start() {
        failures.onFailure(() -> LockSupport.unpark(thread));
        try {
            thread.start();
        } catch (Throwable e) {
            ended = true; // the machine has no more threads
            throw e;
        }
    }

    @Override
    public void wake() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    /** Work that throws may leave state half-changed, so it is not repeated. */
    private void run() {
        try {
            while (!work.isOver()) {
                if (!work.round()) {
                    park();
                }
            }
        } catch (Throwable e) {
            failures.fail(e);
        }
        failures.guarded(work::ended).run();
        ended = true;
    }

    private void park() {
        parked = true;
        if (work.isIdle() && !work.isOver()) {
            LockSupport.parkNanos(this, Math.min(LONGEST_PARK_NANOS, Math.max(1, work.nanosToNextRound())));
        }
        parked = false;
    }

    @Override
    public void close() {
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    "the thread " + thread.getName() + " has not ended within " + CLOSE_MILLIS + " ms");
        }
    }
}
