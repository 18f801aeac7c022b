package io.rivulet.broker.coordinator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * How a view of the commit log reaches a table that belongs to the thread of the groups. While the store opens, all is done in place;
 * from then on entries are copied and delivered, and who asks waits for that thread.
 *
 * <p>Thread-safe. Until it lives, the table is guarded by this object's monitor.
 */
public final class OwnedTable {
    /** Reads a snapshot into the table. */
    @FunctionalInterface
    public interface Loading {
        void load() throws IOException;
    }

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** After so long that thread hangs, and what it owns can't be saved any more. */
    private static final long PATIENCE_NANOS = 60 * NANOS_PER_SECOND;

    private static final long LOOK_MILLIS = 100;

    private final CoordinatorThread thread;
    private final Consumer<ByteBuffer> applying;
    private volatile boolean live;

    OwnedTable(CoordinatorThread thread, Consumer<ByteBuffer> applying) {
        this.thread = thread;
        this.applying = applying;
    }

    /** The replay has ended: from now on the table belongs to the thread. */
    public synchronized void goLive() {
        live = true;
    }

    /** One entry, of which nothing is kept. */
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

    /** Has who owns the table answer, and waits for it. */
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
                return result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                throw new IOException("what the thread of the groups owns could not be written", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while the thread of the groups was asked", e);
            } catch (TimeoutException e) {
                if (thread.hasEnded()) {
                    throw new IOException("the thread of the groups has ended", e);
                }
            }
        }
        throw new IOException(
                "the thread of the groups has not answered for " + PATIENCE_NANOS / NANOS_PER_SECOND + " s");
    }
}
