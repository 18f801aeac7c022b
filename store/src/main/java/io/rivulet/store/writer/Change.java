package io.rivulet.store.writer;

import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.failure.CheckedFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A state change: one entry. Its result is available when the entry is durable and applied.
 *
 * <p>Owned by: log-writer thread, from offer to completion.
 */
public final class Change<T> extends Command {
    /** Appends the entry and returns the result of the change. The caller gets it when the entry is durable. */
    @FunctionalInterface
    interface Appending<T> {
        /**
         * Returns null if there is no room yet.
         *
         * @throws NotStoredException if it is rejected for good
         */
        @Nullable
        T appendTo(GroupAssembly assembly) throws NotStoredException;
    }

    private final long heldBytes;
    private final Appending<T> appending;
    private final CompletableFuture<T> future = new CheckedFuture<>();
    private @Nullable T result;
    private @Nullable NotStoredException turnedDown;

    Change(long heldBytes, Appending<T> appending) {
        this.heldBytes = heldBytes;
        this.appending = appending;
    }

    public CompletionStage<T> result() {
        return future;
    }

    @Override
    long heldBytes() {
        return heldBytes;
    }

    @Override
    boolean appendTo(GroupAssembly assembly) {
        try {
            result = appending.appendTo(assembly);
            return result != null;
        } catch (NotStoredException e) {
            turnedDown = e;
            return true;
        }
    }

    @Override
    int appendedParts() {
        return result == null && turnedDown == null ? 0 : 1;
    }

    @Override
    void settle(int from, int to, Outcome outcome) {
        if (turnedDown != null) {
            future.completeExceptionally(turnedDown);
        } else if (result != null && outcome.isStored()) {
            future.complete(result);
        } else {
            future.completeExceptionally(new NotStoredException(outcome));
        }
    }

    @Override
    void settleFrom(int from, Outcome outcome) {
        future.completeExceptionally(new NotStoredException(outcome));
    }
}
