package io.rivulet.store.repair;

import io.rivulet.store.queue.QueueTable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * An offset for each queue of a table. Uses memory for existing queues only, because ids may be sparse. Owned by: one
 * repair.
 */
final class OffsetByQueue {
    private static final int SHIFT = 12;
    private static final int MASK = (1 << SHIFT) - 1;

    private final Map<Integer, long[]> chunks = new HashMap<>();

    /** @param first the initial offset of a queue */
    OffsetByQueue(QueueTable table, IntToLongFunction first) {
        for (int queueId = 0; queueId < table.idLimit(); queueId++) {
            if (table.exists(queueId)) {
                chunk(queueId)[queueId & MASK] = first.applyAsLong(queueId);
            }
        }
    }

    /** The queue must exist. */
    long get(int queueId) {
        return chunk(queueId)[queueId & MASK];
    }

    void raise(int queueId, long offset) {
        long[] chunk = chunk(queueId);
        chunk[queueId & MASK] = Math.max(chunk[queueId & MASK], offset);
    }

    private long[] chunk(int queueId) {
        return chunks.computeIfAbsent(queueId >>> SHIFT, any -> new long[1 << SHIFT]);
    }
}
