package io.rivulet.store.cache;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The load of one page in progress. One thread loads it and always completes it; others wait for that I/O.
 *
 * <p>Any thread.
 */
final class PageLoad {
    /** How often a waiting thread checks whether the store, and perhaps the loading thread, has failed. */
    static final long CHECK_MILLIS = 100;

    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    /** The page is in the cache, or the load was abandoned: try again. */
    void complete() {
        done.complete(true);
    }

    void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }

    /** Waits until the page is loaded. Throws the loader's exception, or an exception if the store has failed. */
    void await(BooleanSupplier hasFailed) throws IOException {
        while (!isDone()) {
            if (hasFailed.getAsBoolean()) {
                throw new IOException("the store has failed during a read");
            }
        }
    }

    private boolean isDone() throws IOException {
        try {
            return done.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted during a read", e);
        }
    }
}
