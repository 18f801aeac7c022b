package io.rivulet.store;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the first failure. Thread-safe. */
final class FailureLatch {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLatch.class);

    private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();

    void fail(Throwable failure) {
        if (cause.compareAndSet(null, failure)) {
            LOG.error("The store has failed and takes nothing more", failure);
        }
    }

    @Nullable
    Throwable cause() {
        return cause.get();
    }
}
