package io.rivulet.store.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Arrays of longs by number. A chunk is set and removed in place, and the table doubles when it is too short: ids are
 * never reused, so a store that has created many queues has a long table, and a copy for each chunk would cost more
 * and more.
 *
 * <p>Written by the log-writer thread alone. Any thread may read; what was written to a chunk before {@link #set} is
 * seen by who gets it.
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

    /** No chunk has this number or a higher one. */
    int limit() {
        return chunks.length;
    }

    /** How long a table of this length becomes, so that it has the index. */
    static int lengthFor(int index, int length) {
        return Math.max(index + 1, Math.max(SHORTEST, 2 * length));
    }
}
