package io.rivulet.store.log;

import org.jspecify.annotations.Nullable;

/** An append that failed. */
public final class AppendException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** The disk is full. Later appends succeed when there is space. */
        DISK_FULL,
        /** The log failed before; the cause is that failure. */
        LOG_FAILED,
        CLOSED,
        /** This write failed, and with it the log. */
        WRITE_FAILED
    }

    private final Reason reason;

    public AppendException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
