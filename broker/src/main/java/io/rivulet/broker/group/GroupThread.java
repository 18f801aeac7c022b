package io.rivulet.broker.group;

import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the groups. Requests come over a bounded inbox and are turned away when it is full; what the log has stored comes
 * over another, which is bounded by what the groups have on its way. Timers run in between.
 *
 * <p>Thread-safe.
 */
final class GroupThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupThread.class);
    private static final int MAX_REQUESTS = 1 << 14;
    private static final int CHUNK = 1 << 10;
    /** So many requests, and then it is looked whether a timer is due. */
    private static final int REQUESTS_PER_ROUND = 256;

    private static final long LONGEST_PARK_NANOS = 1_000_000_000L;

    private final Queue<Runnable> requests = new MpscArrayQueue<>(MAX_REQUESTS);
    private final Queue<Runnable> deliveries = new MpscUnboundedArrayQueue<>(CHUNK);
    private final Timers timers;
    private final LongSupplier nanoClock;
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean closed;

    GroupThread(Timers timers, LongSupplier nanoClock) {
        this.timers = timers;
        this.nanoClock = nanoClock;
        this.thread = new Thread(this::run, "groups");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Has the thread run it; false when too much is waiting, or it has ended. */
    boolean offer(Runnable request) {
        if (closed || !requests.offer(request)) {
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

    private void run() {
        while (!closed) {
            boolean worked = drain(deliveries, Integer.MAX_VALUE);
            worked |= drain(requests, REQUESTS_PER_ROUND);
            long now = nanoClock.getAsLong();
            guarded(() -> timers.run(now));
            if (!worked) {
                park(now);
            }
        }
        drain(requests, Integer.MAX_VALUE);
        drain(deliveries, Integer.MAX_VALUE);
    }

    private void park(long now) {
        parked = true;
        if (deliveries.isEmpty() && requests.isEmpty() && !closed) {
            LockSupport.parkNanos(this, Math.min(LONGEST_PARK_NANOS, Math.max(1, timers.nanosToNext(now))));
        }
        parked = false;
    }

    private static boolean drain(Queue<Runnable> queue, int most) {
        int taken = 0;
        for (Runnable task = queue.poll(); task != null; task = taken < most ? queue.poll() : null) {
            guarded(task);
            taken++;
        }
        return taken > 0;
    }

    /** A bug in one group must not end the others. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("The coordinator of groups failed", e);
        }
    }

    /** Returns when the thread has ended. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
