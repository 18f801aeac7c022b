package io.rivulet.broker.group;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    private final GroupThread thread;
    private final Consumer<ByteBuffer> applying;
    private volatile boolean live;

    OwnedTable(GroupThread thread, Consumer<ByteBuffer> applying) {
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
        try {
            return result.join();
        } catch (CompletionException e) {
            throw new IOException("what the groups' thread owns could not be written", e.getCause());
        }
    }
}
