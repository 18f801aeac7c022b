package io.rivulet.broker.cli;

import io.rivulet.broker.top.Terminal;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says on standard error how far a long command is. On a terminal it is one line that is written again and again, and
 * removed at the end. Elsewhere it is a line at long intervals. A command of less than a second says nothing.
 *
 * <p>Owned by: one command.
 */
final class Progress implements AutoCloseable {
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TERMINAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PLAIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean terminal;
    private final LongSupplier clockNanos;
    private long dueNanos;
    private boolean shown;

    Progress(PrintWriter err, boolean terminal, LongSupplier clockNanos) {
        this.err = err;
        this.terminal = terminal;
        this.clockNanos = clockNanos;
        this.dueNanos = clockNanos.getAsLong() + (terminal ? FIRST_NANOS : PLAIN_NANOS);
    }

    static Progress toStandardError(PrintWriter err) {
        return new Progress(err, Terminal.isAt(2), System::nanoTime);
    }

    /** May be called often. */
    void at(String step, long done, long total) {
        if (clockNanos.getAsLong() - dueNanos < 0) {
            return;
        }
        dueNanos = clockNanos.getAsLong() + (terminal ? TERMINAL_NANOS : PLAIN_NANOS);
        String text = step + ": " + (total <= 0 ? 0 : Math.min(100, 100 * done / total)) + " %";
        if (terminal) {
            err.print(CLEAR + text);
            shown = true;
        } else {
            err.println(text);
        }
        err.flush();
    }

    /** Removes the line from the terminal, before other output and at the end. */
    @Override
    public void close() {
        if (shown) {
            err.print(CLEAR);
            err.flush();
            shown = false;
        }
    }
}
