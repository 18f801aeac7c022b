package io.rivulet.store.failure;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the first failure for good and tells everyone who may be waiting. A store has one; a broker shares it with its store, so that
 * the first failure of any thread stops all of them.
 *
 * <p>Thread-safe. Until the listeners have run, nothing here allocates: the failure may be that there is no memory.
 */
public final class FailureLatch {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLatch.class);

    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    /** Replaced under {@code this}. */
    private volatile Runnable[] listeners = {};

    private volatile String failedThread = "";

    /** The first failure; null as long as all is well. */
    public @Nullable Throwable cause() {
        return first.get();
    }

    public boolean isSet() {
        return first.get() != null;
    }

    /** The thread that found the first failure; empty as long as all is well. */
    public String failedThread() {
        return failedThread;
    }

    /** The calling thread can't go on, or can't trust its state any more. Never throws. */
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
     * For what is the failure of one request otherwise: an {@link Error}, or what one has caused, fails everything.
     *
     * @return whether it did
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
     * For code that has no latch: as if the calling thread had ended by it. Each thread of a broker has a handler that
     * fails the broker, its own or that of the process. Never throws.
     */
    public static void uncaught(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable e) {
            // There is nobody else to tell.
        }
    }

    /** The work, so that whatever it throws is a failure. */
    public Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable e) {
                fail(e);
            }
        };
    }

    /** A daemon thread, not started, of which nothing that is thrown gets lost. */
    public Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        watch(thread);
        return thread;
    }

    /** What the thread does not catch is a failure. */
    public void watch(Thread thread) {
        thread.setUncaughtExceptionHandler((failed, thrown) -> fail(thrown));
    }

    /** Does the work; whatever it throws is a failure. */
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
     * The listener is called by the thread that fails, in the order of registration; at once when there is a failure already. It must be
     * short, must not block, and may be called twice.
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

    /** One listener that fails, for want of memory perhaps, must not keep the others from being told. */
    private static void call(Runnable listener) {
        try {
            listener.run();
        } catch (Throwable e) {
            // There is a failure already, and this one follows from it.
        }
    }

    private void log(Throwable failure) {
        try {
            LOG.error("Thread {} has failed: nothing more is written", failedThread, failure);
        } catch (Throwable e) {
            // Those who had to know have been told.
        }
    }
}
