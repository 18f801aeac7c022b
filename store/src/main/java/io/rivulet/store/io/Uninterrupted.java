package io.rivulet.store.io;

import java.io.IOException;

/**
 * Keeps a pending interrupt away from a {@link java.nio.channels.FileChannel}, which would close itself over it.
 *
 * <p>An interrupt closes the channel under every thread that uses it. So {@link LocalDiskFile} reads through a channel of
 * its own, which is opened again when that happens and can't harm the writer; and it writes and forces with a pending
 * interrupt set aside. What is left is an interrupt that arrives while a write or a force is under way: that write fails,
 * like any other failed write. Nobody but the store's own threads writes, and nobody interrupts those.
 */
final class Uninterrupted {
    /** Something that does I/O. */
    @FunctionalInterface
    interface IoAction {
        void run() throws IOException;
    }

    private Uninterrupted() {}

    /** Runs the action with the thread's interrupt, if any, put aside until it is done. */
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
