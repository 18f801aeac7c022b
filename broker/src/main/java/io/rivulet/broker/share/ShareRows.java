package io.rivulet.broker.share;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a group: for each queue in use its start offset, and what is under way. The columns take 16 bytes, and
 * the index 4 to 11. They grow by a quarter. The slot of a row does not change.
 *
 * <p>Guarded by the lock of its group.
 */
final class ShareRows {
    static final int NONE = -1;

    private static final int INITIAL_ROWS = 4;
    private static final int BLOCK_SHIFT = 4;
    private static final int BLOCK = 1 << BLOCK_SHIFT;
    /** The most heap that a row takes when many are added. */
    static final int BYTES_PER_NEW_ROW = 48;

    private static final int BYTES_PER_ROW = Integer.BYTES + Long.BYTES + Integer.BYTES;

    private int[] queueIds = new int[INITIAL_ROWS];
    private long[] starts = new long[INITIAL_ROWS];
    private @Nullable RowRuns[] runs = new RowRuns[INITIAL_ROWS];
    /** Slots plus one; 0 is free. At most 3/4 are used. */
    private int[] index = new int[2 * INITIAL_ROWS];

    private int slots;
    private int size;
    /** The first of the free slots, which are chained through their start offsets. */
    private int free = NONE;

    int size() {
        return size;
    }

    /** Slots of rows are below. */
    int slots() {
        return slots;
    }

    long heapBytes() {
        return (long) queueIds.length * BYTES_PER_ROW + (long) index.length * Integer.BYTES;
    }

    /** The heap that the next row takes. */
    long growthBytes() {
        long rowBytes = free == NONE && slots == queueIds.length ? (long) growth() * BYTES_PER_ROW : 0;
        long indexBytes = 4L * (size + 1) > 3L * index.length ? (long) index.length * Integer.BYTES : 0;
        return rowBytes + indexBytes;
    }

    private int growth() {
        return Math.max(INITIAL_ROWS, slots >> 2);
    }

    /** {@link #NONE} for a slot that is free. */
    int queueIdAt(int slot) {
        return queueIds[slot];
    }

    long startAt(int slot) {
        return starts[slot];
    }

    void startAt(int slot, long start) {
        starts[slot] = start;
    }

    @Nullable
    RowRuns runsAt(int slot) {
        return runs[slot];
    }

    void runsAt(int slot, @Nullable RowRuns underWay) {
        runs[slot] = underWay;
    }

    int find(int queueId) {
        for (int i = home(queueId); ; i = i + 1 & index.length - 1) {
            int slot = index[i] - 1;
            if (slot < 0 || queueIds[slot] == queueId) {
                return slot;
            }
        }
    }

    /** The slot of a new row. */
    int add(int queueId, long start) {
        int slot = free;
        if (slot != NONE) {
            free = (int) starts[slot];
        } else {
            if (slots == queueIds.length) {
                int capacity = slots + growth();
                queueIds = Arrays.copyOf(queueIds, capacity);
                starts = Arrays.copyOf(starts, capacity);
                runs = Arrays.copyOf(runs, capacity);
            }
            slot = slots++;
        }
        queueIds[slot] = queueId;
        starts[slot] = start;
        runs[slot] = null;
        size++;
        insert(slot);
        return slot;
    }

    private void insert(int slot) {
        if (4L * size > 3L * index.length) {
            index = new int[2 * index.length];
            for (int other = 0; other < slots; other++) {
                if (queueIds[other] != NONE && other != slot) {
                    put(other);
                }
            }
        }
        put(slot);
    }

    private void put(int slot) {
        int i = home(queueIds[slot]);
        while (index[i] != 0) {
            i = i + 1 & index.length - 1;
        }
        index[i] = slot + 1;
    }

    void remove(int slot) {
        int hole = home(queueIds[slot]);
        while (index[hole] != slot + 1) {
            hole = hole + 1 & index.length - 1;
        }
        closeUp(hole);
        queueIds[slot] = NONE;
        runs[slot] = null;
        starts[slot] = free;
        free = slot;
        size--;
    }

    /** Moves back entries behind the hole, so that no probe ends at the hole too early. */
    private void closeUp(int from) {
        int mask = index.length - 1;
        int hole = from;
        index[hole] = 0;
        for (int i = hole + 1 & mask; index[i] != 0; i = i + 1 & mask) {
            int home = home(queueIds[index[i] - 1]);
            if ((i - home & mask) >= (i - hole & mask)) {
                index[hole] = index[i];
                index[i] = 0;
                hole = i;
            }
        }
    }

    /**
     * Queues with ids side by side have places side by side, because requests name them in that order. So neighbours
     * are in the same lines of the processor's caches. Blocks of ids are spread evenly.
     */
    private int home(int queueId) {
        long hash = ((queueId >>> BLOCK_SHIFT) * 0x9E3779B9L) & 0xFFFF_FFFFL;
        long block = (hash * (index.length >>> BLOCK_SHIFT)) >>> Integer.SIZE;
        return (((int) block << BLOCK_SHIFT) | (queueId & (BLOCK - 1))) & (index.length - 1);
    }
}
