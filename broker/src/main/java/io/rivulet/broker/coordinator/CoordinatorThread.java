package io.rivulet.broker.coordinator;

import io.rivulet.store.failure.FailureLatch;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * The thread that owns all state of coordinators. Requests come over a bounded inbox and are refused when it is full.
 * Deliveries, such as durable entries, come over a second inbox and run first; their number is bounded by the bytes in
 * flight. Timers and long questions run in between.
 *
 * <p>Thread-safe.
 */
final class CoordinatorThread implements AutoCloseable {
    private static final int MAX_REQUESTS = 1 << 14;
    private static final int CHUNK = 1 << 10;
    /** Timers are checked after this number of requests, or after {@link #ROUND_NANOS}. */
    private static final int REQUESTS_PER_ROUND = 256;

    private static final long ROUND_NANOS = 1_000_000;

    private static final long CLOSE_MILLIS = 10_000;
    private static final long LONGEST_PARK_NANOS = 1_000_000_000L;

    private final Queue<Runnable> requests = new MpscArrayQueue<>(MAX_REQUESTS);
    private final Queue<Runnable> deliveries = new MpscUnboundedArrayQueue<>(CHUNK);
    private final Timers timers;
    private final LongQuestions questions;
    private final LongSupplier nanoClock;
    private final FailureLatch failures;
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean closed;
    private Runnable whenFailed = () -> {};

    CoordinatorThread(Timers timers, LongSupplier nanoClock, FailureLatch failures) {
        this.timers = timers;
        this.questions = new LongQuestions(nanoClock);
        this.failures = failures;
        this.nanoClock = nanoClock;
        this.thread = failures.thread("groups", this::run);
    }

    /** @param newWhenFailed the thread's last task when it or another thread of the broker has failed */
    void start(Runnable newWhenFailed) {
        whenFailed = newWhenFailed;
        failures.onFailure(() -> LockSupport.unpark(thread));
        thread.start();
    }

    LongQuestions questions() {
        return questions;
    }

    /** Whether the thread has ended. */
    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** Runs the request on the thread; false when too many requests wait, or it has ended. */
    boolean offer(Runnable request) {
        if (closed || failures.isSet() || !requests.offer(request)) {
            return false;
        }
        wake();
        return true;
    }

    /** Runs the task on the thread, before all waiting requests. */
    void deliver(Runnable delivery) {
        deliveries.add(delivery);
        wake();
    }

    private void wake() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /** A task that throws may leave state half-changed, so it is the last one. */
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
            boolean worked = drain(deliveries);
            worked |= serveRequests();
            worked |= questions.work();
            long now = nanoClock.getAsLong();
            timers.run(now);
            if (!worked) {
                park(now);
            }
        }
        if (!failures.isSet()) {
            drain(requests);
            drain(deliveries);
        }
    }

    private boolean serveRequests() {
        long startNanos = nanoClock.getAsLong();
        int served = 0;
        for (Runnable request = requests.poll(); request != null; request = requests.poll()) {
            request.run();
            drain(deliveries);
            if (++served == REQUESTS_PER_ROUND || nanoClock.getAsLong() - startNanos > ROUND_NANOS) {
                break;
            }
        }
        return served > 0;
    }

    private void park(long now) {
        parked = true;
        if (deliveries.isEmpty() && requests.isEmpty() && !closed && !failures.isSet()) {
            LockSupport.parkNanos(this, Math.min(LONGEST_PARK_NANOS, Math.max(1, timers.nanosToNext(now))));
        }
        parked = false;
    }

    private static boolean drain(Queue<Runnable> queue) {
        boolean any = false;
        for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
            task.run();
            any = true;
        }
        return any;
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
            throw new IllegalStateException("the coordinator thread has not ended within " + CLOSE_MILLIS + " ms");
        }
    }
}
