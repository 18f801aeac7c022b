package io.rivulet.broker.tls;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The work of the broker for one handshake: signatures and key exchange, on the shared threads. A task whose client has
 * disconnected is dropped when its thread comes to it. Until then it counts, so that clients that disconnect early do
 * not fill the queue of these threads. Thread-safe.
 */
final class HandshakeWork implements Executor {
    private final Executor threads;
    private final BooleanSupplier isWanted;
    private final Runnable whenDone;
    /** Its tasks, and the handshake itself. */
    private final AtomicInteger open = new AtomicInteger(1);

    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * @param isWanted asked before each task
     * @param whenDone called on any thread when the handshake has ended and no task is left
     */
    HandshakeWork(Executor threads, BooleanSupplier isWanted, Runnable whenDone) {
        this.threads = threads;
        this.isWanted = isWanted;
        this.whenDone = whenDone;
    }

    @Override
    public void execute(Runnable task) {
        open.incrementAndGet();
        threads.execute(() -> {
            try {
                if (isWanted.getAsBoolean()) {
                    task.run();
                }
            } finally {
                close();
            }
        });
    }

    /** The handshake has succeeded, or has failed. May be called again. */
    void end() {
        if (ended.compareAndSet(false, true)) {
            close();
        }
    }

    private void close() {
        if (open.decrementAndGet() == 0) {
            whenDone.run();
        }
    }

    /** Whether a task waits for a thread, or is being done. Before the end of the handshake. */
    boolean isUnderWay() {
        return open.get() > 1;
    }
}
