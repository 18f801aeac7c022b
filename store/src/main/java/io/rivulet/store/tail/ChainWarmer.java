package io.rivulet.store.tail;

import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.queue.QueueTable;
import java.nio.ByteBuffer;

/**
 * Loads the chains of several queues into the processor's cache before they are copied. Each chunk of a chain is a
 * cache miss that waits for the link before it. When many chains are walked side by side, their misses overlap.
 *
 * <p>Only loads, and checks every value: the chains may change meanwhile. Owned by: the sweeper.
 */
public final class ChainWarmer {
    /** Chains that are walked side by side. */
    public static final int WIDTH = 16;

    /** How many chunks of a chain are loaded: all loaded chunks should stay in the cache until they are copied. */
    private static final int DEPTH = 24;

    private final QueueTable table;
    private final ChunkPool pool;
    private final int[] chunks = new int[WIDTH];
    private final int[] lasts = new int[WIDTH];

    /** Keeps the loads from being optimised away. */
    @SuppressWarnings("UnusedVariable")
    private volatile int seen;

    ChainWarmer(QueueTable table, ChunkPool pool) {
        this.table = table;
        this.pool = pool;
    }

    /** Warms the chains of the first {@code count} queues, {@link #WIDTH} at most. */
    public void warm(int[] queueIds, int count) {
        for (int i = 0; i < count; i++) {
            long[] rows = table.rows(queueIds[i]);
            int row = QueueTable.row(queueIds[i]);
            chunks[i] =
                    rows == null ? ChunkPool.NONE : QueueRow.headChunk(QueueRow.getOpaque(rows, row + QueueRow.HEAD));
            lasts[i] =
                    rows == null ? ChunkPool.NONE : QueueRow.lastChunk(QueueRow.getOpaque(rows, row + QueueRow.LAST));
        }
        int sum = 0;
        boolean more = true;
        for (int depth = 0; depth < DEPTH && more; depth++) {
            more = false;
            for (int i = 0; i < count; i++) {
                int chunk = chunks[i];
                ByteBuffer slab = pool.slab(chunk);
                if (slab != null) {
                    sum += pool.touch(slab, chunk);
                    chunks[i] = chunk == lasts[i] ? ChunkPool.NONE : pool.link(chunk);
                    more = true;
                }
            }
        }
        seen = sum;
    }
}
