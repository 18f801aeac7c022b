package io.rivulet.broker.cli;

import io.rivulet.store.failure.FailureLatch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.slf4j.event.Level;

/**
 * Writes log lines to standard error. If that is a pipe that is not read, a write blocks for ever. So a broker has a
 * thread that writes; other threads only queue their lines. While the queue is full, lines are dropped; the next line
 * says how many.
 *
 * <p>Thread-safe.
 */
final class LogOutput {
    static final int MAX_WAITING_BYTES = 256 << 10;

    /** Not {@code System.err}: a thread that writes holds its lock. Never closed. */
    static final LogOutput STANDARD_ERROR = new LogOutput(new FileOutputStream(FileDescriptor.err));

    private final OutputStream out;
    /** Guarded by {@code this}, like all fields below. The first line is the one that is being written. */
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    private int waitingBytes;
    private long dropped;
    private boolean hasThread;
    private volatile LogFormat format = LogFormat.TEXT;

    LogOutput(OutputStream out) {
        this.out = out;
    }

    /** The format of all later lines. Before this, they are text. */
    void use(LogFormat newFormat) {
        format = newFormat;
    }

    LogFormat format() {
        return format;
    }

    /** From now on, no caller of {@link #write} waits for a reader. */
    void startThread(FailureLatch failures) {
        synchronized (this) {
            hasThread = true;
        }
        failures.thread("log-output", () -> writeQueued(failures)).start();
    }

    void write(LogFormat.Event event) {
        write(format.line(event));
    }

    /** @param text a line, or several, with their ends */
    void write(String text) {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * For the JDK and libraries, which print warnings and stack traces to {@code System.err}. Text is passed on as it
     * comes; as JSON, each line is an event.
     */
    PrintStream asStream() {
        if (format != LogFormat.TEXT) {
            return new PrintStream(new LinesAsEvents(this), true, StandardCharsets.UTF_8);
        }
        OutputStream lines = new OutputStream() {
            @Override
            public void write(int oneByte) {
                write(new byte[] {(byte) oneByte}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int at, int length) {
                LogOutput.this.write(Arrays.copyOfRange(bytes, at, at + length));
            }
        };
        return new PrintStream(lines, true, StandardCharsets.UTF_8);
    }

    private void write(byte[] line) {
        if (!queue(line)) {
            writeNow(line);
        }
    }

    private synchronized boolean queue(byte[] line) {
        boolean fits = waiting.isEmpty() || waitingBytes + line.length <= MAX_WAITING_BYTES;
        if (hasThread && fits && dropped == 0) {
            waiting.add(line);
            waitingBytes += line.length;
            notifyAll();
        } else if (hasThread) {
            dropped++;
        }
        return hasThread;
    }

    /** Returns when all lines are written, or after this time at the latest. */
    synchronized void awaitWritten(long millis) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            long left = millis;
            while (!waiting.isEmpty() && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An Error in this thread is a failure too. The thread continues, because the failure is logged. */
    private void writeQueued(FailureLatch failures) {
        while (true) {
            try {
                writeNow(first());
                written();
            } catch (Throwable e) {
                failures.fail(e);
            }
        }
    }

    private synchronized byte[] first() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        return waiting.element();
    }

    private synchronized void written() {
        waitingBytes -= waiting.remove().length;
        if (waiting.isEmpty() && dropped > 0) {
            String note = format.note(Level.WARN, dropped + " log lines were dropped: standard error was not read");
            dropped = 0;
            queue(note.getBytes(StandardCharsets.UTF_8));
        }
        notifyAll();
    }

    private void writeNow(byte[] line) {
        try {
            out.write(line);
            out.flush();
        } catch (IOException e) {
            // Standard error is closed: the broker continues without a log.
        }
    }
}
