package io.rivulet.store.failure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A future whose callbacks lose no {@link Error}. A {@link CompletableFuture} keeps what a callback throws, and often
 * no code reads it. Here an Error, and anything that {@link #whenComplete} throws, is a failure of the thread that runs
 * the callback ({@link FailureLatch#uncaught}). All other exceptions are results. Derived futures are of this class,
 * too.
 *
 * <p>The broker uses only these callbacks: LayeringTest checks it.
 *
 * <p>Thread-safe.
 */
public final class CheckedFuture<T> extends CompletableFuture<T> {
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CheckedFuture<>();
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
        return super.whenComplete((result, failure) -> {
            try {
                action.accept(result, failure);
            } catch (Throwable e) {
                FailureLatch.uncaught(e);
                throw e;
            }
        });
    }

    @Override
    public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> action) {
        return super.handle((result, failure) -> {
            try {
                return action.apply(result, failure);
            } catch (Error e) {
                FailureLatch.uncaught(e);
                throw e;
            }
        });
    }

    @Override
    public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> action) {
        return super.thenApply(checked(action));
    }

    @Override
    public <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> action) {
        return super.thenCompose(checked(action));
    }

    @Override
    public <U> CompletableFuture<U> thenComposeAsync(
            Function<? super T, ? extends CompletionStage<U>> action, Executor executor) {
        return super.thenComposeAsync(checked(action), executor);
    }

    private static <T, U> Function<T, U> checked(Function<? super T, ? extends U> action) {
        return result -> {
            try {
                return action.apply(result);
            } catch (Error e) {
                FailureLatch.uncaught(e);
                throw e;
            }
        };
    }
}
