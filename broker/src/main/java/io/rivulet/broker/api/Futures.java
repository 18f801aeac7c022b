package io.rivulet.broker.api;

import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.store.failure.CheckedFuture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Combines futures. Stateless. */
public final class Futures {
    private Futures() {}

    /** Runs the action when all futures have ended, on the thread that ends the last one. */
    public static void whenAllEnded(List<? extends CompletableFuture<?>> futures, Runnable action) {
        CompletableFuture<?> unused =
                allOf(futures.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> action.run());
    }

    /** As {@link CompletableFuture#allOf}, but an Error in a callback is not lost. */
    public static CompletableFuture<Void> allOf(CompletableFuture<?>... futures) {
        CompletableFuture<Void> all = new CheckedFuture<>();
        CompletableFuture<?> unused = CompletableFuture.allOf(futures).whenComplete((done, failure) -> {
            if (failure == null) {
                all.complete(null);
            } else {
                all.completeExceptionally(failure);
            }
        });
        return all;
    }

    /** Handles the elements from one index up to another, exclusive. The stage never fails. */
    @FunctionalInterface
    public interface Part {
        CompletionStage<?> run(int from, int to);
    }

    /**
     * Handles many elements part by part, then runs the action. This bounds the work of one request that is in
     * progress, and lets other requests run in between.
     *
     * @param executor runs all parts except the first, which runs on the calling thread
     */
    public static void inParts(int count, int partSize, Executor executor, Part part, Runnable ended) {
        CompletionStage<?> last = part.run(0, Math.min(count, partSize));
        for (int next = partSize; next > 0 && next < count; next += partSize) {
            int from = next;
            int to = (int) Math.min(count, (long) from + partSize);
            last = last.thenComposeAsync(done -> part.run(from, to), executor);
        }
        CompletionStage<?> unused = last.whenComplete((done, failure) -> ended.run());
    }

    /**
     * Attempts one of the changes in a request. The future never fails: it ends after {@code refused} got the failure,
     * if there is one.
     */
    public static CompletableFuture<Void> attempt(
            Supplier<CompletionStage<?>> change, Consumer<RefusedException> refused) {
        CompletionStage<?> stage;
        try {
            stage = change.get();
        } catch (RuntimeException e) {
            refused.accept(ErrorMapper.refusal(e));
            return CompletableFuture.completedFuture(null);
        }
        return stage.<Void>handle((done, failure) -> {
                    if (failure != null) {
                        refused.accept(ErrorMapper.refusal(failure));
                    }
                    return null;
                })
                .toCompletableFuture();
    }
}
