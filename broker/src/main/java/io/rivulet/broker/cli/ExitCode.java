package io.rivulet.broker.cli;

import io.rivulet.store.failure.OwnerChangedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The exit codes of a broker's process. docs/RELIABILITY.md has the table. */
final class ExitCode {
    static final int CLEAN = 0;
    static final int CANNOT_START = 1;
    /** The JVM's own code when it ends itself because the heap is full. */
    static final int OUT_OF_MEMORY = 3;

    static final int INTERNAL_ERROR = 70;
    static final int IO_FAILURE = 74;
    static final int STOP_HANGS = 75;
    /** A process that is started again would stop the one that has the log now. */
    static final int OWNER_CHANGED = 76;

    private ExitCode() {}

    /** The code of a failure, by its causes. Allocates nothing. */
    static int of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError) {
                return OUT_OF_MEMORY;
            }
            if (cause instanceof OwnerChangedException) {
                return OWNER_CHANGED;
            }
        }
        return failure instanceof IOException || failure instanceof UncheckedIOException ? IO_FAILURE : INTERNAL_ERROR;
    }

    /** What an operator should do. */
    static String advice(int code, @Nullable Throwable failure) {
        return switch (code) {
            case OUT_OF_MEMORY ->
                String.valueOf(failure).contains("native thread")
                        ? "Raise the limit of threads (ulimit -u, or that of the container), then start it again."
                        : "Start it with more memory (-Xmx, -XX:MaxDirectMemorySize) or with lower limits"
                                + " (docs/CONFIGURATION.md).";
            case IO_FAILURE -> "Check the disk and the kernel's log, then start it again.";
            case STOP_HANGS -> "What was acknowledged is in the log; start it again.";
            case OWNER_CHANGED ->
                "What was acknowledged is in the log. Start this broker again only if it shall have the log back.";
            default ->
                failure instanceof LinkageError
                        ? "Program files may have been replaced or removed while it ran: start it again."
                        : "Start it again, and report this with the log above.";
        };
    }
}
