package io.rivulet.store.tail;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The stream records of one group, in log order, for {@link Tail#appendAll}. Reused for one group after another.
 *
 * <p>Owned by: log-writer thread.
 */
public final class TailAppends {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    ByteBuffer src = NOTHING;
    int[] queueIds = new int[256];
    int[] recordAt = new int[256];
    int[] recordBytes = new int[256];
    long[] endOffsets = new long[256];
    int count;

    /** Begins a new group, whose records are in the buffer. */
    public TailAppends reset(ByteBuffer src) {
        this.src = src;
        this.count = 0;
        return this;
    }

    /** The record at these bytes of the buffer is the queue's next one, and ends at the offset. */
    public void add(int queueId, int recordAt, int recordBytes, long endOffset) {
        int i = count;
        if (i == queueIds.length) {
            grow();
        }
        this.queueIds[i] = queueId;
        this.recordAt[i] = recordAt;
        this.recordBytes[i] = recordBytes;
        this.endOffsets[i] = endOffset;
        count = i + 1;
    }

    /** The buffer with the records. */
    public ByteBuffer src() {
        return src;
    }

    public int count() {
        return count;
    }

    public int queueId(int index) {
        return queueIds[index];
    }

    public long endOffset(int index) {
        return endOffsets[index];
    }

    private void grow() {
        int length = 2 * queueIds.length;
        queueIds = Arrays.copyOf(queueIds, length);
        recordAt = Arrays.copyOf(recordAt, length);
        recordBytes = Arrays.copyOf(recordBytes, length);
        endOffsets = Arrays.copyOf(endOffsets, length);
    }
}
