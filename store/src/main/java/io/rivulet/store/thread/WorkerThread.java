package io.rivulet.store.thread;

import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker with a daemon thread, parked while there is nothing to do. Whatever the work throws is a failure; the thread
 * continues, because callers may still wait for an answer.
 */
final class WorkerThread implements Workers.Worker {
    private final Runnable work;
    private final FailureLatch failures;
    private final Thread thread;

    /**
     * Both sides use an atomic exchange, not a plain read. So if a signaller finds a signal pending, the exchange of
     * the worker comes after it, and the worker sees everything that the signaller wrote before.
     */
    private final AtomicBoolean signalled = new AtomicBoolean();

    private volatile boolean closed;

    WorkerThread(String name, Runnable work, FailureLatch failures) {
        this.work = work;
        this.failures = failures;
        this.thread = failures.thread(name, this::run);
        thread.start();
    }

    @Override
    public void signal() {
        if (!signalled.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        boolean ended = false;
        while (!ended) {
            try {
                workUntilClosed();
                ended = true;
            } catch (Throwable e) {
                failures.fail(e);
            }
        }
    }

    private void workUntilClosed() {
        while (signalled.get() || !closed) {
            if (signalled.getAndSet(false)) {
                work.run();
            } else {
                LockSupport.park(this);
            }
        }
    }

    /**
     * Defers an interrupt of the closing thread until the worker has ended, because its files are about to be closed.
     *
     * @throws IllegalStateException if the worker hangs; it may still use its files
     */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Workers.CLOSE_MILLIS);
        while (thread.isAlive() && thread != Thread.currentThread()) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (leftMillis <= 0) {
                throw new IllegalStateException("the thread " + thread.getName() + " does not end");
            }
            try {
                thread.join(leftMillis);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
