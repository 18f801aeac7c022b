package io.rivulet.broker.coordinator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Gives a view of the commit log access to a table that the coordinator thread owns. While the store opens, calls run
 * in place. Afterwards entries are copied and delivered to that thread, and {@link #ask} waits for it.
 *
 * <p>Thread-safe. During the replay this object's monitor guards the table.
 */
public final class OwnedTable {
    /** Reads a snapshot into the table. */
    @FunctionalInterface
    public interface Loading {
        void load() throws IOException;
    }

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** After this time the coordinator thread is considered to hang, and the snapshot fails. */
    private static final long PATIENCE_NANOS = 60 * NANOS_PER_SECOND;

    private static final long POLL_MILLIS = 100;

    private final CoordinatorThread thread;
    private final Consumer<ByteBuffer> applying;
    private volatile boolean live;

    OwnedTable(CoordinatorThread thread, Consumer<ByteBuffer> applying) {
        this.thread = thread;
        this.applying = applying;
    }

    /** The replay has ended: from now on the table belongs to the coordinator thread. */
    public synchronized void goLive() {
        live = true;
    }

    /** Applies an entry. The buffer is not kept. */
    public void apply(ByteBuffer entry) {
        if (live) {
            ByteBuffer copy = ByteBuffer.allocate(entry.remaining()).put(entry).flip();
            thread.deliver(() -> applying.accept(copy));
        } else {
            synchronized (this) {
                applying.accept(entry);
            }
        }
    }

    public synchronized void load(Loading loading) throws IOException {
        loading.load();
    }

    /** Runs the question on the owner's thread and waits for the answer. */
    public <T> T ask(Supplier<T> question) throws IOException {
        synchronized (this) {
            if (!live) {
                return question.get();
            }
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.deliver(() -> {
            try {
                result.complete(question.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return await(result);
    }

    private <T> T await(CompletableFuture<T> result) throws IOException {
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < PATIENCE_NANOS) {
            try {
                boolean wasOver = thread.hasEnded(); // its last answer comes before its end
                if (thread.await(result, POLL_MILLIS)) {
                    return result.get();
                }
                if (wasOver) {
                    throw new IOException("the coordinator thread has ended");
                }
            } catch (ExecutionException e) {
                throw new IOException("the coordinator thread could not write its state", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the coordinator thread", e);
            }
        }
        throw new IOException(
                "the coordinator thread has not answered for " + PATIENCE_NANOS / NANOS_PER_SECOND + " s");
    }
}
