package io.rivulet.store.compact;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The results of the transactions in a queue, from its markers.
 *
 * <p>Memory: 16 bytes for each aborted transaction in the queue, and 150 for each of their producers. Owned by:
 * background thread.
 */
final class QueueTransactions {
    /** The result of the transaction of a record. */
    enum Fate {
        COMMITTED,
        ABORTED,
        /** The marker is not in the compacted blocks; it may follow. */
        OPEN
    }

    /** The aborted transactions of a producer, in order: offsets of the first record and of the marker. */
    private static final class Spans {
        private long[] offsets = new long[2];
        private int count;

        void add(long firstOffset, long markerOffset) {
            if (count == offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * count);
            }
            offsets[count++] = firstOffset;
            offsets[count++] = markerOffset;
        }

        boolean hold(long offset) {
            int found = Arrays.binarySearch(offsets, 0, count, offset);
            int notGreater = found < 0 ? -found - 2 : found;
            return notGreater >= 0 && notGreater % 2 == 0;
        }
    }

    private final Map<Long, Long> open = new HashMap<>();
    private final Map<Long, Spans> aborted = new HashMap<>();

    void records(long producerId, long offset) {
        open.putIfAbsent(producerId, offset);
    }

    void committed(long producerId) {
        open.remove(producerId);
    }

    void aborted(long producerId, long offset) {
        Long first = open.remove(producerId);
        if (first != null) {
            aborted.computeIfAbsent(producerId, id -> new Spans()).add(first, offset);
        }
    }

    boolean hasOpen() {
        return !open.isEmpty();
    }

    /** Called after the last batch. */
    Fate fate(long producerId, long offset) {
        Long openFrom = open.get(producerId);
        if (openFrom != null && offset >= openFrom) {
            return Fate.OPEN;
        }
        Spans spans = aborted.get(producerId);
        return spans != null && spans.hold(offset) ? Fate.ABORTED : Fate.COMMITTED;
    }
}
