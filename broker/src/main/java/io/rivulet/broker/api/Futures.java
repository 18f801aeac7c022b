package io.rivulet.broker.api;

import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.store.failure.CheckedFuture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Waiting without a thread. Stateless. */
public final class Futures {
    private Futures() {}

    /** Runs the action once every one of them has succeeded or failed, on the thread that ends the last. */
    public static void whenAllEnded(List<? extends CompletableFuture<?>> futures, Runnable action) {
        CompletableFuture<?> unused =
                allOf(futures.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> action.run());
    }

    /** Ends when all have ended, as {@link CompletableFuture#allOf}, and loses no Error of its callbacks. */
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

    /** One part of many things: those from one index up to another. What it returns never fails. */
    @FunctionalInterface
    public interface Part {
        CompletionStage<?> run(int from, int to);
    }

    /**
     * Does many things part by part, and then the action: what one request may have under way is bounded, and others get their turn.
     *
     * @param executor of all parts but the first, which is done right away
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
     * Does one of the things that a request asks for. What comes never fails: a refusal, whether it comes at once or later, is told
     * before it ends.
     */
    public static CompletableFuture<Void> attempt(
            Supplier<CompletionStage<?>> thing, Consumer<RefusedException> refused) {
        CompletionStage<?> stage;
        try {
            stage = thing.get();
        } catch (RefusedException | ConfigException e) {
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
