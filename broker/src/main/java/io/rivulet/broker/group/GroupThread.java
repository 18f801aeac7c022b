package io.rivulet.broker.group;

import io.rivulet.store.failure.FailureLatch;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * The thread that owns the groups. Requests come over a bounded inbox and are turned away when it is full; what the log has stored comes
 * over another, which is bounded by what the groups have on its way. Timers run in between.
 *
 * <p>Thread-safe.
 */
final class GroupThread implements AutoCloseable {
    private static final int MAX_REQUESTS = 1 << 14;
    private static final int CHUNK = 1 << 10;
    /** So many requests, and then it is looked whether a timer is due. */
    private static final int REQUESTS_PER_ROUND = 256;

    private static final long CLOSE_MILLIS = 10_000;
    private static final long LONGEST_PARK_NANOS = 1_000_000_000L;

    private final Queue<Runnable> requests = new MpscArrayQueue<>(MAX_REQUESTS);
    private final Queue<Runnable> deliveries = new MpscUnboundedArrayQueue<>(CHUNK);
    private final Timers timers;
    private final LongSupplier nanoClock;
    private final FailureLatch failures;
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean closed;
    private Runnable whenFailed = () -> {};

    GroupThread(Timers timers, LongSupplier nanoClock, FailureLatch failures) {
        this.timers = timers;
        this.failures = failures;
        this.nanoClock = nanoClock;
        this.thread = failures.thread("groups", this::run);
    }

    /** @param newWhenFailed run by the thread, as its last task, when it or another thread of the broker has failed */
    void start(Runnable newWhenFailed) {
        whenFailed = newWhenFailed;
        failures.onFailure(() -> LockSupport.unpark(thread));
        thread.start();
    }

    /** Whether nothing is run any more. */
    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** Has the thread run it; false when too much is waiting, or it has ended. */
    boolean offer(Runnable request) {
        if (closed || failures.isSet() || !requests.offer(request)) {
            return false;
        }
        wake();
        return true;
    }

    /** Has the thread run it, before all requests that come later. */
    void deliver(Runnable delivery) {
        deliveries.add(delivery);
        wake();
    }

    private void wake() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /** What a task has left half-changed nobody can trust, so the first one that throws is the last. */
    private void run() {
        try {
            serve();
        } catch (Throwable e) {
            failures.fail(e);
        }
        if (failures.isSet()) {
            failures.guarded(whenFailed).run();
        }
    }

    private void serve() {
        while (!closed && !failures.isSet()) {
            boolean worked = drain(deliveries, Integer.MAX_VALUE);
            worked |= drain(requests, REQUESTS_PER_ROUND);
            long now = nanoClock.getAsLong();
            timers.run(now);
            if (!worked) {
                park(now);
            }
        }
        if (!failures.isSet()) {
            drain(requests, Integer.MAX_VALUE);
            drain(deliveries, Integer.MAX_VALUE);
        }
    }

    private void park(long now) {
        parked = true;
        if (deliveries.isEmpty() && requests.isEmpty() && !closed && !failures.isSet()) {
            LockSupport.parkNanos(this, Math.min(LONGEST_PARK_NANOS, Math.max(1, timers.nanosToNext(now))));
        }
        parked = false;
    }

    private static boolean drain(Queue<Runnable> queue, int most) {
        int taken = 0;
        for (Runnable task = queue.poll(); task != null; task = taken < most ? queue.poll() : null) {
            task.run();
            taken++;
        }
        return taken > 0;
    }

    /** Returns when the thread has ended. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException("the thread of the groups does not end");
        }
    }
}
