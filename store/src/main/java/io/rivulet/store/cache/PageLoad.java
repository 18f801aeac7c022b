package io.rivulet.store.cache;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The load of one page, under way. One thread loads and always completes it; others wait for that I/O.
 *
 * <p>Any thread.
 */
final class PageLoad {
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    /** The page is in the cache, or was given up: look again. */
    void complete() {
        done.complete(true);
    }

    void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }

    /** Waits until the page was loaded; throws what the loader met. */
    void await() throws IOException {
        try {
            done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
