package io.rivulet.broker.coordinator;

import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.environment.Repeated;
import io.rivulet.broker.environment.Repeater;
import io.rivulet.broker.environment.Threads;
import io.rivulet.store.failure.FailureLatch;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
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
final class CoordinatorThread implements Repeated, AutoCloseable {
    private static final int MAX_REQUESTS = 1 << 14;
    private static final int CHUNK = 1 << 10;
    /** Timers are checked after this number of requests, or after {@link #ROUND_NANOS}. */
    private static final int REQUESTS_PER_ROUND = 256;

    private static final long ROUND_NANOS = 1_000_000;

    private final Queue<Runnable> requests = new MpscArrayQueue<>(MAX_REQUESTS);
    private final Queue<Runnable> deliveries = new MpscUnboundedArrayQueue<>(CHUNK);
    private final Timers timers;
    private final LongQuestions questions;
    private final LongSupplier nanoClock;
    private final FailureLatch failures;
    private final Threads threads;
    private final Repeater thread;
    private volatile boolean closed;
    private Runnable whenFailed = () -> {};

    CoordinatorThread(Timers timers, LongSupplier nanoClock, Environment environment) {
        this.timers = timers;
        this.questions = new LongQuestions(nanoClock);
        this.failures = environment.failures();
        this.nanoClock = nanoClock;
        this.threads = environment.threads();
        this.thread = threads.repeater("groups", failures, this);
    }

    /** @param newWhenFailed the thread's last task when it or another thread of the broker has failed */
    void start(Runnable newWhenFailed) {
        whenFailed = newWhenFailed;
        thread.start();
    }

    LongQuestions questions() {
        return questions;
    }

    /** Whether the thread has ended. */
    boolean hasEnded() {
        return thread.hasEnded();
    }

    /** Waits for a result that this thread makes: see {@link Threads#await}. */
    boolean await(CompletableFuture<?> result, long millis) throws InterruptedException {
        return threads.await(result, millis);
    }

    /** Runs the request on the thread; false when too many requests wait, or it has ended. */
    boolean offer(Runnable request) {
        if (closed || failures.isSet() || !requests.offer(request)) {
            return false;
        }
        thread.wake();
        return true;
    }

    /** Runs the task on the thread, before all waiting requests. */
    void deliver(Runnable delivery) {
        deliveries.add(delivery);
        thread.wake();
    }

    // ---- the thread ----

    @Override
    public boolean round() {
        boolean worked = drain(deliveries);
        worked |= serveRequests();
        worked |= questions.work();
        timers.run(nanoClock.getAsLong());
        return worked;
    }

    @Override
    public boolean isIdle() {
        return deliveries.isEmpty() && requests.isEmpty();
    }

    @Override
    public long nanosToNextRound() {
        return timers.nanosToNext(nanoClock.getAsLong());
    }

    @Override
    public boolean isOver() {
        return closed || failures.isSet();
    }

    @Override
    public void ended() {
        if (!failures.isSet()) {
            failures.guard(() -> {
                drain(requests);
                drain(deliveries);
            });
        }
        if (failures.isSet()) {
            failures.guarded(whenFailed).run();
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
        thread.close();
    }
}
