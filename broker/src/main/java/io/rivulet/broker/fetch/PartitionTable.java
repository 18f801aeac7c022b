package io.rivulet.broker.fetch;

import io.rivulet.broker.limit.SecretHash;
import java.util.Arrays;

/**
 * The partitions of a session: a slot for each in some primitive arrays, found by topic and partition. Slots of removed
 * partitions are reused.
 *
 * <p>Owned by: the session.
 */
final class PartitionTable {
    static final int NONE = -1;

    private static final int INITIAL_SLOTS = 4;
    private static final int BYTES_PER_SLOT = 36;
    private static final int BLOCK_SHIFT = 4;
    private static final int BLOCK = 1 << BLOCK_SHIFT;
    private static final int BLOCK_NUMBER_BITS = Integer.SIZE - BLOCK_SHIFT;

    private int slots;
    private int size;
    private int freeSlot = NONE;
    /** {@link #NONE} for a free slot. */
    private int[] topicOf = new int[INITIAL_SLOTS];
    /** For a free slot, the next free slot. */
    private int[] partitionOf = new int[INITIAL_SLOTS];

    private int[] maxBytesOf = new int[INITIAL_SLOTS];
    private long[] offsetOf = new long[INITIAL_SLOTS];

    /** Open addressing with linear probes: slot + 1, or 0. At most three quarters full. */
    private int[] index = new int[2 * INITIAL_SLOTS];

    /** The number of partitions. */
    int size() {
        return size;
    }

    /** Higher than every slot. */
    int slots() {
        return slots;
    }

    /**
     * The heap that a session's partitions take, estimated, with their shares of {@link QueueInterest} and
     * {@link Readiness}.
     */
    long bytes() {
        return (long) topicOf.length * BYTES_PER_SLOT + (long) index.length * Integer.BYTES;
    }

    /** What {@link #bytes} would be with so many partitions more, none of which is there. */
    long bytesWith(int more) {
        long capacity = topicOf.length;
        while (capacity < Math.max(slots, (long) size + more)) {
            capacity += capacity >> 1;
        }
        long indexLength = index.length;
        while (4 * ((long) size + more) > 3 * indexLength) {
            indexLength *= 2;
        }
        return capacity * BYTES_PER_SLOT + indexLength * Integer.BYTES;
    }

    // ---- rows ----

    /** The number of the topic, or {@link #NONE} if the slot is free. */
    int topicOf(int slot) {
        return topicOf[slot];
    }

    int partitionOf(int slot) {
        return partitionOf[slot];
    }

    long offsetOf(int slot) {
        return offsetOf[slot];
    }

    int maxBytesOf(int slot) {
        return maxBytesOf[slot];
    }

    void set(int slot, long offset, int maxBytes) {
        offsetOf[slot] = offset;
        maxBytesOf[slot] = maxBytes;
    }

    // ---- the index ----

    int find(int topic, int partition) {
        for (int i = home(topic, partition); ; i = i + 1 & index.length - 1) {
            int slot = index[i] - 1;
            if (slot < 0 || (topicOf[slot] == topic && partitionOf[slot] == partition)) {
                return slot;
            }
        }
    }

    /** The slot of a partition that has none yet. */
    int add(int topic, int partition) {
        int slot = freeSlot;
        if (slot != NONE) {
            freeSlot = partitionOf[slot];
        } else {
            if (slots == topicOf.length) {
                growRows();
            }
            slot = slots++;
        }
        topicOf[slot] = topic;
        partitionOf[slot] = partition;
        size++;
        insert(slot);
        return slot;
    }

    private void growRows() {
        int capacity = slots + (slots >> 1);
        topicOf = Arrays.copyOf(topicOf, capacity);
        partitionOf = Arrays.copyOf(partitionOf, capacity);
        maxBytesOf = Arrays.copyOf(maxBytesOf, capacity);
        offsetOf = Arrays.copyOf(offsetOf, capacity);
    }

    private void insert(int slot) {
        if (4L * size > 3L * index.length) {
            index = new int[2 * index.length];
            for (int other = 0; other < slots; other++) {
                if (topicOf[other] != NONE && other != slot) {
                    put(other);
                }
            }
        }
        put(slot);
    }

    private void put(int slot) {
        int i = home(topicOf[slot], partitionOf[slot]);
        while (index[i] != 0) {
            i = i + 1 & index.length - 1;
        }
        index[i] = slot + 1;
    }

    void remove(int slot) {
        int hole = home(topicOf[slot], partitionOf[slot]);
        while (index[hole] != slot + 1) {
            hole = hole + 1 & index.length - 1;
        }
        closeUp(hole);
        topicOf[slot] = NONE;
        partitionOf[slot] = freeSlot;
        freeSlot = slot;
        size--;
    }

    /** Moves back entries behind the hole, so that no probe ends at the hole too early. */
    private void closeUp(int from) {
        int mask = index.length - 1;
        int hole = from;
        index[hole] = 0;
        for (int i = hole + 1 & mask; index[i] != 0; i = i + 1 & mask) {
            int home = home(topicOf[index[i] - 1], partitionOf[index[i] - 1]);
            if ((i - home & mask) >= (i - hole & mask)) {
                index[hole] = index[i];
                index[i] = 0;
                hole = i;
            }
        }
    }

    /**
     * Partitions side by side have places side by side, because requests name them in that order: so neighbours are in
     * the same lines of the processor's caches. Blocks of partitions are spread evenly. Where a topic begins in
     * its block is random, or all topics with one partition would begin at the first place.
     */
    private int home(int topic, int partition) {
        long hash = SecretHash.spread(((long) topic << BLOCK_NUMBER_BITS) | (partition >>> BLOCK_SHIFT));
        long block = ((hash >>> Integer.SIZE) * (index.length >>> BLOCK_SHIFT)) >>> Integer.SIZE;
        int place = ((int) (hash >>> BLOCK_NUMBER_BITS) + partition) & (BLOCK - 1);
        return (((int) block << BLOCK_SHIFT) | place) & (index.length - 1);
    }
}
