package io.rivulet.store.failure;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the first failure and notifies all listeners. A broker shares the latch of its store, so that the first failure
 * of any thread stops all of them.
 *
 * <p>Thread-safe. Allocates nothing before the listeners have run: the failure may be a lack of memory.
 */
public final class FailureLatch {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLatch.class);

    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    /** Replaced under {@code this}. */
    private volatile Runnable[] listeners = {};

    private volatile String failedThread = "";

    /** The first failure; null if there is none. */
    public @Nullable Throwable cause() {
        return first.get();
    }

    public boolean isSet() {
        return first.get() != null;
    }

    /** The thread of the first failure; empty if there is none. */
    public String failedThread() {
        return failedThread;
    }

    /** The calling thread can't continue or can't trust its state. Never throws. */
    public void fail(Throwable failure) {
        if (first.compareAndSet(null, failure)) {
            failedThread = Thread.currentThread().getName();
            for (Runnable listener : listeners) {
                call(listener);
            }
            log(failure);
        }
    }

    /**
     * For exceptions that fail one request: an {@link Error}, or an exception caused by one, fails everything.
     *
     * @return whether it was an Error
     */
    public boolean failIfError(@Nullable Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof Error) {
                fail(cause);
                return true;
            }
        }
        return false;
    }

    /**
     * For code without a latch: passes the failure to the uncaught exception handler of the calling thread. Each thread
     * of a broker has a handler that fails the broker. Never throws.
     */
    public static void uncaught(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable e) {
            // There is no other handler.
        }
    }

    /** Wraps the work, so that whatever it throws is a failure. */
    public Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable e) {
                fail(e);
            }
        };
    }

    /** A daemon thread, not started, whose exceptions are failures. */
    public Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        watch(thread);
        return thread;
    }

    /** Makes uncaught exceptions of the thread failures. */
    public void watch(Thread thread) {
        thread.setUncaughtExceptionHandler((failed, thrown) -> fail(thrown));
    }

    /** Runs the work; whatever it throws is a failure. */
    public void guard(IoWork work) {
        try {
            work.run();
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Something that does I/O. */
    @FunctionalInterface
    public interface IoWork {
        void run() throws IOException;
    }

    /**
     * Registers a listener. The failing thread calls listeners in the order of registration; after a failure a new
     * listener is called at once. It must be short, must not block, and may be called twice.
     */
    public void onFailure(Runnable listener) {
        synchronized (this) {
            Runnable[] more = Arrays.copyOf(listeners, listeners.length + 1);
            more[listeners.length] = listener;
            listeners = more;
        }
        if (isSet()) {
            call(listener);
        }
    }

    /** All listeners are called, even if one of them throws, for example because of a lack of memory. */
    private static void call(Runnable listener) {
        try {
            listener.run();
        } catch (Throwable e) {
            // This failure follows from the first one.
        }
    }

    private void log(Throwable failure) {
        try {
            LOG.error("Thread {} has failed: nothing more is written", failedThread, failure);
        } catch (Throwable e) {
            // All listeners have been called.
        }
    }
}
