package io.rivulet.store.sweep;

import io.rivulet.store.tail.Tail;
import java.util.Arrays;

/**
 * Which part of which chains a block file has taken, until the file can be read and the log writer frees them.
 *
 * <p>Owned by: background thread while it is filled; then immutable.
 */
final class SweptQueues {
    private static final int INITIAL_QUEUES = 1024;

    private int count;
    private int[] queueIds = new int[INITIAL_QUEUES];
    private long[] fromOffsets = new long[INITIAL_QUEUES];
    private long[] toOffsets = new long[INITIAL_QUEUES];
    private long[] boundaries = new long[INITIAL_QUEUES];

    /** The tail of this queue held {@code [fromOffset, ...)}; the file has what is below {@code toOffset}. */
    void add(int queueId, long fromOffset, long toOffset, long boundary) {
        if (count == queueIds.length) {
            queueIds = Arrays.copyOf(queueIds, 2 * count);
            fromOffsets = Arrays.copyOf(fromOffsets, 2 * count);
            toOffsets = Arrays.copyOf(toOffsets, 2 * count);
            boundaries = Arrays.copyOf(boundaries, 2 * count);
        }
        queueIds[count] = queueId;
        fromOffsets[count] = fromOffset;
        toOffsets[count] = toOffset;
        boundaries[count] = boundary;
        count++;
    }

    int count() {
        return count;
    }

    /** On the log-writer thread: frees the chains of the queues with indexes {@code [from, to)}. */
    void release(Tail tail, int from, int to) {
        for (int i = from; i < to; i++) {
            tail.release(queueIds[i], fromOffsets[i], toOffsets[i], boundaries[i]);
        }
    }
}
