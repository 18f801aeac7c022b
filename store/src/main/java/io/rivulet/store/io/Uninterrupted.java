package io.rivulet.store.io;

import java.io.IOException;

/**
 * Defers a pending interrupt, because a {@link java.nio.channels.FileChannel} closes itself when its thread is
 * interrupted.
 *
 * <p>This affects all threads that use the channel. So {@link LocalDiskFile} reads through a separate channel, which is
 * opened again after an interrupt and does not affect the writer. Writes and forces run with a pending interrupt
 * deferred. An interrupt that arrives during a write or force remains: that write fails, like any other failed write.
 * Only the store's own threads write, and they are never interrupted.
 */
final class Uninterrupted {
    /** An action that does I/O. */
    @FunctionalInterface
    interface IoAction {
        void run() throws IOException;
    }

    private Uninterrupted() {}

    /** Runs the action and defers a pending interrupt of the thread until it is done. */
    static void run(IoAction action) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            action.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
