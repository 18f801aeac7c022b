package io.rivulet.store.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Arrays of longs by number. A chunk is set and removed in place, and the table doubles when it is too short. Ids are
 * never reused, so a store that has created many queues has a long table, and a copy for each chunk would cost too
 * much.
 *
 * <p>Written by the log-writer thread only. Any thread may read; readers of a chunk see everything that was written to
 * it before {@link #set}.
 */
final class ChunkTable {
    private static final VarHandle CHUNK = MethodHandles.arrayElementVarHandle(long[][].class);
    private static final int SHORTEST = 16;

    private volatile long[] @Nullable [] chunks = new long[0][];

    /** The chunk, or null. */
    long @Nullable [] get(int index) {
        long[] @Nullable [] all = chunks;
        return index < all.length ? (long[]) CHUNK.getAcquire(all, index) : null;
    }

    /** Log writer: null removes it. */
    void set(int index, long @Nullable [] chunk) {
        long[] @Nullable [] all = chunks;
        if (index < all.length) {
            CHUNK.setRelease(all, index, chunk);
        } else if (chunk != null) {
            long[] @Nullable [] longer = Arrays.copyOf(all, lengthFor(index, all.length));
            longer[index] = chunk;
            chunks = longer;
        }
    }

    /** All chunks have lower numbers. */
    int limit() {
        return chunks.length;
    }

    /** The new length of a table that must contain the index. */
    static int lengthFor(int index, int length) {
        return Math.max(index + 1, Math.max(SHORTEST, 2 * length));
    }
}
