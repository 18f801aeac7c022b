package io.rivulet.store.log;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps the first failure for good and tells everyone who may be waiting. Thread-safe. */
final class FailureLatch {
    private final AtomicReference<@Nullable IOException> first = new AtomicReference<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    @Nullable
    IOException cause() {
        return first.get();
    }

    boolean isSet() {
        return first.get() != null;
    }

    void set(IOException cause) {
        if (first.compareAndSet(null, cause)) {
            listeners.forEach(Runnable::run);
        }
    }

    void onFailure(Runnable listener) {
        listeners.add(listener);
    }

    /** Runs background work; whatever it throws, a broken invariant included, closes the log for writing. */
    void guard(String what, IoWork work) {
        try {
            work.run();
        } catch (IOException e) {
            set(e);
        } catch (Throwable e) {
            set(new IOException(what + " broke: " + e, e));
        }
    }

    /** Something that does I/O. */
    @FunctionalInterface
    interface IoWork {
        void run() throws IOException;
    }
}
