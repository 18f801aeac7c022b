package io.rivulet.store.tail;

import java.util.Arrays;

/**
 * What the sweep has copied from the tail, queue by queue, for {@link Tail#releaseAll} once it is durable and visible:
 * 28 bytes for each queue.
 *
 * <p>Owned by: the sweeper, until it hands it over to the log-writer thread by a queue or another release and acquire.
 */
public final class TailReleases {
    int[] queueIds = new int[64];
    long[] oldStarts = new long[64];
    long[] newStarts = new long[64];
    long[] boundaries = new long[64];
    int count;

    /** The queue's tail was copied from the start up to where the cursor stands. */
    public void add(int queueId, long tailStart, TailCursor copied) {
        add(queueId, tailStart, copied.endOffset(), copied.boundary());
    }

    /** The queue's tail was copied from one offset to the other, which stands at the boundary. */
    public void add(int queueId, long oldStart, long newStart, long boundary) {
        int i = count;
        if (i == queueIds.length) {
            grow();
        }
        queueIds[i] = queueId;
        oldStarts[i] = oldStart;
        newStarts[i] = newStart;
        boundaries[i] = boundary;
        count = i + 1;
    }

    public int count() {
        return count;
    }

    public void clear() {
        count = 0;
    }

    private void grow() {
        int length = 2 * queueIds.length;
        queueIds = Arrays.copyOf(queueIds, length);
        oldStarts = Arrays.copyOf(oldStarts, length);
        newStarts = Arrays.copyOf(newStarts, length);
        boundaries = Arrays.copyOf(boundaries, length);
    }
}
