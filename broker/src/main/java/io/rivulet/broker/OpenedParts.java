package io.rivulet.broker;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened, to be closed in reverse order. Used by one thread at a time, except {@link #closing}. */
final class OpenedParts {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private volatile String closing = "";

    <T extends AutoCloseable> T add(T part) {
        parts.addFirst(part);
        return part;
    }

    /** The name of the part that is being closed; empty before that. */
    String closing() {
        return closing;
    }

    /** @throws IOException with this message, and with what can't be closed */
    void close(String message) throws IOException {
        IOException failed = new IOException(message);
        close(failed);
        if (failed.getSuppressed().length > 0) {
            throw failed;
        }
    }

    /** @param failed gets what can't be closed */
    void close(Throwable failed) {
        for (AutoCloseable part : parts) {
            closing = part.getClass().getSimpleName();
            try {
                part.close();
            } catch (Throwable e) {
                // Also an error: a store that stays open would keep this process from opening it again.
                failed.addSuppressed(e);
            }
        }
    }
}
