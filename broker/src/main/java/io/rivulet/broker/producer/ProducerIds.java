package io.rivulet.broker.producer;

import io.rivulet.store.Store;
import io.rivulet.store.View;
import io.rivulet.store.failure.CheckedFuture;
import io.rivulet.store.repair.RepairAdvice;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Generates producer ids, each only once. A log entry reserves a block of ids; after a crash the rest of the block is
 * never used.
 *
 * <pre>
 * entry and snapshot: | version 1, one byte | limit 8 |   every id below the limit may have been handed out
 * </pre>
 *
 * <p>Crash policy: the entry is durable before an id of its block is handed out.
 *
 * <p>Guarded by its monitor.
 */
public final class ProducerIds implements View {
    public static final int VIEW_ID = 2;

    private static final int BLOCK_IDS = 1000;
    /** More ids for each millisecond than clients can take. */
    private static final int REBUILT_SHIFT = 10;

    private static final byte VERSION = 1;
    private static final int ENTRY_BYTES = 1 + Long.BYTES;

    private final Deque<CompletableFuture<Long>> waiting = new ArrayDeque<>();
    /**
     * The limit in the log. It rises before {@link #blockTaken} runs, so ids below it may not belong to this process.
     */
    private long limit;

    private long next;
    /** The end (exclusive) of the block that this process has reserved. */
    private long blockEnd;

    private boolean blockOnItsWay;

    /** Rebuilds a lost limit: one that no broker has reached by generating ids, nor by an earlier repair. */
    public static RepairAdvice.ViewRebuild rebuild(long nowMillis) {
        return new RepairAdvice.ViewRebuild() {
            @Override
            public void load(ReadableByteChannel beginning) {}

            @Override
            public void apply(long groupTimestamp, ByteBuffer entry) {}

            @Override
            public View.Snapshot finish(int queueIdLimit, IntPredicate queueExists, Consumer<String> lines) {
                long limit = nowMillis << REBUILT_SHIFT;
                lines.accept("the limit of the producer ids: new ones are greater than " + limit);
                return out -> out.write(entry(limit));
            }
        };
    }

    /** A new producer id. */
    public CompletionStage<Long> next(Store store) {
        return next(entry -> store.appendState(VIEW_ID, entry));
    }

    CompletionStage<Long> next(Function<ByteBuffer, CompletionStage<Integer>> log) {
        CompletableFuture<Long> id = new CheckedFuture<>();
        synchronized (this) {
            if (next < blockEnd) {
                return CompletableFuture.completedFuture(next++);
            }
            waiting.add(id);
            if (blockOnItsWay) {
                return id;
            }
            blockOnItsWay = true;
        }
        takeBlock(log);
        return id;
    }

    private void takeBlock(Function<ByteBuffer, CompletionStage<Integer>> log) {
        long newLimit;
        synchronized (this) {
            newLimit = limit + BLOCK_IDS;
        }
        log.apply(entry(newLimit)).whenComplete((bytes, failure) -> blockTaken(log, newLimit, failure));
    }

    private void blockTaken(
            Function<ByteBuffer, CompletionStage<Integer>> log, long newLimit, @Nullable Throwable failure) {
        Deque<CompletableFuture<Long>> served = new ArrayDeque<>();
        long first;
        boolean more;
        synchronized (this) {
            if (failure == null) {
                next = newLimit - BLOCK_IDS;
                blockEnd = newLimit;
            }
            first = next;
            while (!waiting.isEmpty() && (failure != null || next < blockEnd)) {
                served.add(waiting.remove());
                next += failure == null ? 1 : 0;
            }
            more = !waiting.isEmpty();
            blockOnItsWay = more;
        }
        for (CompletableFuture<Long> id : served) {
            if (failure == null) {
                id.complete(first++);
            } else {
                id.completeExceptionally(failure);
            }
        }
        if (more) {
            takeBlock(log);
        }
    }

    private static ByteBuffer entry(long limit) {
        return ByteBuffer.allocate(ENTRY_BYTES).put(VERSION).putLong(limit).flip();
    }

    // ---- the view ----

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    public synchronized void apply(long groupTimestamp, ByteBuffer entry) {
        byte version = entry.get();
        if (version != VERSION) {
            throw new IllegalStateException("an entry of producer ids of version " + version);
        }
        limit = Math.max(limit, entry.getLong());
    }

    @Override
    public synchronized Snapshot snapshot() {
        long now = limit;
        return out -> out.write(entry(now));
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES);
        while (entry.hasRemaining()) {
            if (in.read(entry) < 0) {
                throw new EOFException("the snapshot of producer ids is cut off");
            }
        }
        byte version = entry.flip().get(0);
        if (version != VERSION) {
            throw new IOException(
                    "the snapshot of producer ids has version " + version + "; this broker reads version " + VERSION);
        }
        apply(0, entry);
    }
}
