package io.rivulet.prove.load;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Work of clients on a thread of its own, until it is stopped. Thread-safe. */
public abstract class Load {
    private static final long PATIENCE_MILLIS = 150_000;

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final Thread thread;
    private final long pauseNanos;

    protected Load(String name) {
        this(name, 0);
    }

    /** @param pauseNanos how long each {@link #pause} is */
    protected Load(String name, long pauseNanos) {
        this.pauseNanos = pauseNanos;
        thread = new Thread(this::runAndRecord, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void runAndRecord() {
        try {
            run();
        } catch (Exception | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Works until {@link #isStopped}. What was begun is then awaited. */
    protected abstract void run() throws Exception;

    /** Reads everything back, after the end of all work. */
    protected List<String> violations(Target target) {
        return List.of();
    }

    protected final boolean isStopped() {
        return stopped.get() || failure.get() != null;
    }

    protected final void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    protected final void acknowledged() {
        acknowledged.incrementAndGet();
    }

    /** Leaves time to others, if the load is not to be as high as possible. */
    protected final void pause() {
        if (pauseNanos > 0) {
            LockSupport.parkNanos(pauseNanos);
        }
    }

    /** How much was acknowledged so far. */
    final long progress() {
        return acknowledged.get();
    }

    final @Nullable Throwable failure() {
        return failure.get();
    }

    final void stop() {
        stopped.set(true);
    }

    /** Waits until the work has ended. Returns what was wrong with it. */
    final @Nullable String await() throws InterruptedException {
        thread.join(PATIENCE_MILLIS);
        if (thread.isAlive()) {
            return thread.getName() + " does not end";
        }
        Throwable cause = failure.get();
        return cause == null ? null : thread.getName() + " failed: " + cause;
    }
}
