package io.rivulet.broker.cli;

import io.rivulet.store.failure.FailureLatch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Ends the process within a second after the broker has failed, and within ten seconds if a stop hangs.
 *
 * <p>It needs no other thread and hardly any memory: its two threads and their classes are ready from the start. One of
 * the threads only halts the process, in case the other one hangs while it writes its line.
 *
 * <p>Thread-safe.
 */
final class FailStop {
    /** Time for the last responses to be sent. */
    private static final long GRACE_MILLIS = 250;

    /** The JVM takes up to 0.3 s more to halt. */
    private static final long LIMIT_MILLIS = 600;

    private static final long STOP_LIMIT_MILLIS = 8_000;

    private static final String PLAIN = "rivulet: the broker has failed, and no memory is left to describe the failure";

    private final FailureLatch failures;
    private final Semaphore awake = new Semaphore(0);
    private final Semaphore halting = new Semaphore(0);
    /** Not {@code System.err}: a thread that hangs may hold its lock. Never closed. */
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);

    private final LogFormat format;
    private final byte[] plainLine;
    private volatile int exitCode = ExitCode.INTERNAL_ERROR;
    private volatile Supplier<String> closing = () -> "";

    private FailStop(FailureLatch failures, LogFormat format) {
        this.failures = failures;
        this.format = format;
        this.plainLine = (format == LogFormat.JSON
                        ? "{\"level\":\"ERROR\",\"message\":\"" + PLAIN + "\"}\n"
                        : PLAIN + "\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Called before the broker starts. */
    static FailStop watch(FailureLatch failures, LogFormat format) {
        FailStop failStop = new FailStop(failures, format);
        failStop.start("failstop", failStop::endProcess);
        failStop.start("failstop-halt", failStop::haltInAnyCase);
        failures.onFailure(failStop.awake::release);
        return failStop;
    }

    /** An Error in one of these threads is a failure too, and the same thread handles it. */
    private void start(String name, Runnable work) {
        Thread thread = new Thread(() -> untilItEnds(work), name);
        thread.setDaemon(true);
        thread.start();
    }

    private void untilItEnds(Runnable work) {
        while (true) {
            try {
                work.run();
            } catch (Throwable e) {
                failures.fail(e);
                awake.release();
            }
        }
    }

    /**
     * Called when the broker is being closed; then the process ends.
     *
     * @param newClosing returns the name of what is being closed
     */
    void stopping(Supplier<String> newClosing) {
        closing = newClosing;
        awake.release();
    }

    private void endProcess() {
        line(new IOException("a rehearsal, which loads the classes that a line needs"));
        awake.acquireUninterruptibly();
        if (!failures.isSet()) {
            awaitClosed();
        }
        Throwable cause = failures.cause();
        exitCode = cause == null ? ExitCode.STOP_HANGS : ExitCode.of(cause);
        halting.release();
        write(lineOrPlain(cause));
        pause(cause == null ? 0 : GRACE_MILLIS);
        Runtime.getRuntime().halt(exitCode);
    }

    private void awaitClosed() {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_LIMIT_MILLIS);
        while (!failures.isSet() && endNanos - System.nanoTime() > 0) {
            pause(GRACE_MILLIS);
        }
    }

    private void haltInAnyCase() {
        halting.acquireUninterruptibly();
        pause(LIMIT_MILLIS);
        Runtime.getRuntime().halt(exitCode);
    }

    private static void pause(long millis) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private byte[] lineOrPlain(@Nullable Throwable cause) {
        try {
            return line(cause);
        } catch (Throwable e) {
            return plainLine;
        }
    }

    /** One line, even if the message of the cause has several. */
    private byte[] line(@Nullable Throwable cause) {
        int code = cause == null ? ExitCode.STOP_HANGS : ExitCode.of(cause);
        String what = cause == null
                ? "the stop hangs while it closes " + closing.get()
                : "thread " + failures.failedThread() + " has failed: " + cause;
        String line = "rivulet: " + what.replaceAll("\\s+", " ") + ". " + ExitCode.advice(code, cause) + " (exit code "
                + code + ")";
        return format.note(Level.ERROR, line).getBytes(StandardCharsets.UTF_8);
    }

    private void write(byte[] line) {
        try {
            err.write(line);
        } catch (Throwable e) {
            // Standard error is closed. The process ends anyway.
        }
    }
}
