package io.rivulet.broker.cli;

import io.rivulet.store.failure.FailureLatch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Writes log lines to standard error. If that is a pipe whose reader stands still, a write waits for ever. So a broker
 * has a thread for it: the thread that logs only queues its line. When the queue is full, lines are left out, until all
 * that waits is written; the next line says how many they were.
 *
 * <p>Thread-safe.
 */
final class LogOutput {
    static final int MAX_WAITING_BYTES = 256 << 10;

    /** Not {@code System.err}: its lock is held by whoever writes. Never closed. */
    static final LogOutput STANDARD_ERROR = new LogOutput(new FileOutputStream(FileDescriptor.err));

    private final OutputStream out;
    /** Guarded by {@code this}, as all below. The line that is being written is still the first. */
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    private int waitingBytes;
    private long leftOut;
    private boolean hasThread;

    LogOutput(OutputStream out) {
        this.out = out;
    }

    /** From now on no line waits for a reader. */
    void startThread(FailureLatch failures) {
        synchronized (this) {
            hasThread = true;
        }
        failures.thread("log-output", () -> writeWhatWaits(failures)).start();
    }

    /** @param text a line, or several, with their ends */
    void write(String text) {
        byte[] line = text.getBytes(StandardCharsets.UTF_8);
        if (!queue(line)) {
            writeNow(line);
        }
    }

    private synchronized boolean queue(byte[] line) {
        boolean fits = waiting.isEmpty() || waitingBytes + line.length <= MAX_WAITING_BYTES;
        if (hasThread && fits && leftOut == 0) {
            waiting.add(line);
            waitingBytes += line.length;
            notifyAll();
        } else if (hasThread) {
            leftOut++;
        }
        return hasThread;
    }

    /** Returns when all lines are written, or after this time. */
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

    /** An Error in this thread is a failure as any other; the thread goes on, for the failure is logged too. */
    private void writeWhatWaits(FailureLatch failures) {
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
        if (waiting.isEmpty() && leftOut > 0) {
            String note = leftOut + " log lines were left out: standard error was not read" + System.lineSeparator();
            leftOut = 0;
            queue(note.getBytes(StandardCharsets.UTF_8));
        }
        notifyAll();
    }

    private void writeNow(byte[] line) {
        try {
            out.write(line);
            out.flush();
        } catch (IOException e) {
            // Nobody reads it any more: the broker goes on without a log.
        }
    }
}
