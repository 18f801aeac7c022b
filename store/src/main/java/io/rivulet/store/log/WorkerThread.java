package io.rivulet.store.log;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A worker that is a daemon thread, parked while there is nothing to do. */
final class WorkerThread implements Workers.Worker {
    private final Runnable work;
    private final Thread thread;

    /**
     * Exchanged on both sides, never only read: the worker's exchange then comes after that of a signaller who found a signal
     * pending, and sees whatever was written before it, by however weak a store.
     */
    private final AtomicBoolean signalled = new AtomicBoolean();

    private volatile boolean closed;

    WorkerThread(String name, Runnable work) {
        this.work = work;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void signal() {
        if (!signalled.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (signalled.get() || !closed) {
            if (signalled.getAndSet(false)) {
                work.run();
            } else {
                LockSupport.park(this);
            }
        }
    }

    /** An interrupt of the closing thread waits until the worker is done: its files are about to be closed. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
