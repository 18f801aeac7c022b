package io.rivulet.broker.group;

import io.rivulet.store.view.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The groups as a view of the commit log: entries on their way from the log writer to the thread that owns the groups, and snapshots
 * on their way back. While the store opens, entries are applied in place.
 *
 * <p>Thread-safe. Until the groups live, their table is guarded by this view's monitor.
 */
final class GroupView implements View {
    static final int VIEW_ID = GroupEntryLayout.VIEW_ID;

    private final GroupTable table;
    private final GroupThread thread;
    private volatile boolean live;

    GroupView(GroupTable table, GroupThread thread) {
        this.table = table;
        this.thread = thread;
    }

    /** The replay has ended: from now on the table belongs to the thread. */
    synchronized void goLive() {
        live = true;
    }

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer bytes) {
        if (live) {
            ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
            thread.deliver(() -> table.apply(copy));
        } else {
            synchronized (this) {
                table.apply(bytes);
            }
        }
    }

    @Override
    public Snapshot snapshot() {
        return this::write;
    }

    /** Every slice holds at least what the log held when the snapshot was asked for, for that was delivered before. */
    private void write(WritableByteChannel out) throws IOException {
        GroupSnapshot snapshot = onOwningThread(() -> new GroupSnapshot(table));
        for (ByteBuffer slice = next(snapshot); slice != null; slice = next(snapshot)) {
            while (slice.hasRemaining()) {
                out.write(slice);
            }
        }
    }

    private @Nullable ByteBuffer next(GroupSnapshot snapshot) throws IOException {
        // Not the slice itself, for a supplier answers something.
        @Nullable ByteBuffer[] slice = {null};
        onOwningThread(() -> {
            slice[0] = snapshot.slice();
            return slice;
        });
        return slice[0];
    }

    private <T> T onOwningThread(Supplier<T> work) throws IOException {
        synchronized (this) {
            if (!live) {
                return work.get();
            }
        }
        return ask(work);
    }

    /** Has the thread answer, and waits for it. */
    <T> T ask(Supplier<T> work) throws IOException {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.deliver(() -> {
            try {
                result.complete(work.get());
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

    @Override
    public synchronized void load(ReadableByteChannel in) throws IOException {
        GroupSnapshot.read(in, table::apply);
    }
}
