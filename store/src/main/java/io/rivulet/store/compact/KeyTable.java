package io.rivulet.store.compact;

import java.util.Arrays;

/**
 * For each key, by its hash, the number of its last record. Open addressing; three quarters full at most. Grows with its keys, until
 * it is as large as it may be and takes no more of them.
 *
 * <p>Memory: 20 bytes for each slot, a power of two of them, and half as many again while it grows; never more than it was made for.
 * Owned by: background thread.
 */
final class KeyTable {
    static final int NONE = -1;

    private static final int SLOT_BYTES = 2 * Long.BYTES + Integer.BYTES;
    private static final int MIN_SLOTS = 256;
    /** A table of this many slots is kept for the next queue. */
    private static final int KEPT_SLOTS = 1 << 14;

    private final int maxSlots;
    private long[] hashes = new long[0];
    private int[] records = new int[0];
    private int count;
    private boolean full;

    KeyTable(long maxBytes) {
        long slots = Math.max(MIN_SLOTS, Math.min(maxBytes / (SLOT_BYTES + SLOT_BYTES / 2), 1 << 29));
        this.maxSlots = Integer.highestOneBit((int) slots);
        shrink();
    }

    private void makeSlots(int slots) {
        hashes = new long[2 * slots];
        records = new int[slots];
        Arrays.fill(records, NONE);
    }

    /** Empties the table. */
    void clear() {
        Arrays.fill(records, NONE);
        count = 0;
        full = false;
    }

    /** Empties the table, and gives back what a large queue needed. */
    void shrink() {
        if (records.length > KEPT_SLOTS || records.length < MIN_SLOTS) {
            makeSlots(MIN_SLOTS);
        }
        clear();
    }

    /** Whether it has not taken a key since it was cleared. */
    boolean isFull() {
        return full;
    }

    /** Sets the key's record and answers the one before, or {@link #NONE}. */
    int put(long hash1, long hash2, int record) {
        int slot = slot(hash1, hash2);
        int before = records[slot];
        if (before == NONE) {
            if (count == records.length / 4 * 3) {
                if (records.length == maxSlots) {
                    full = true;
                    return NONE;
                }
                grow();
                slot = slot(hash1, hash2);
            }
            count++;
            hashes[2 * slot] = hash1;
            hashes[2 * slot + 1] = hash2;
        }
        records[slot] = record;
        return before;
    }

    private void grow() {
        long[] oldHashes = hashes;
        int[] oldRecords = records;
        makeSlots(2 * oldRecords.length);
        for (int old = 0; old < oldRecords.length; old++) {
            if (oldRecords[old] != NONE) {
                int slot = slot(oldHashes[2 * old], oldHashes[2 * old + 1]);
                hashes[2 * slot] = oldHashes[2 * old];
                hashes[2 * slot + 1] = oldHashes[2 * old + 1];
                records[slot] = oldRecords[old];
            }
        }
    }

    boolean has(long hash1, long hash2) {
        return records[slot(hash1, hash2)] != NONE;
    }

    private int slot(long hash1, long hash2) {
        int mask = records.length - 1;
        int slot = (int) hash1 & mask;
        while (records[slot] != NONE && (hashes[2 * slot] != hash1 || hashes[2 * slot + 1] != hash2)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
