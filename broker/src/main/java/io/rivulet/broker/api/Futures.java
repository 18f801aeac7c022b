package io.rivulet.broker.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Waiting without a thread. Stateless. */
final class Futures {
    private Futures() {}

    /** Runs the action once every one of them has succeeded or failed, on the thread that ends the last. */
    static void whenAllEnded(List<CompletableFuture<?>> futures, Runnable action) {
        CompletableFuture<?> unused = CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .whenComplete((done, failure) -> action.run());
    }
}
