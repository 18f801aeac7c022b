package io.rivulet.store.compact;

import java.util.Arrays;

/**
 * For each key, by its hash, the number of its last record. Open addressing; three quarters full at most.
 *
 * <p>Memory: 20 bytes for each slot, a power of two of them, never more than it was made for. Owned by: background thread.
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

    KeyTable(long maxBytes) {
        long slots = Math.max(MIN_SLOTS, Math.min(maxBytes / SLOT_BYTES, 1 << 29));
        this.maxSlots = Integer.highestOneBit((int) slots);
    }

    /** Into how many shares so many keys have to be split, for each to fit: half full, since shares are not alike. */
    int sharesFor(long keys) {
        return keys <= keysIn(maxSlots) ? 1 : Math.toIntExact(keys / (maxSlots / 2) + 1);
    }

    private static int keysIn(int slots) {
        return slots / 4 * 3;
    }

    /** Empties the table, and makes room for so many keys, as far as there may be. */
    void clear(long keys) {
        int slots = Math.max(MIN_SLOTS, records.length);
        while (slots < maxSlots && keysIn(slots) < keys) {
            slots *= 2;
        }
        if (slots != records.length) {
            hashes = new long[2 * slots];
            records = new int[slots];
        }
        Arrays.fill(records, NONE);
    }

    /** Gives back what a large queue needed. */
    void shrink() {
        if (records.length > KEPT_SLOTS) {
            hashes = new long[0];
            records = new int[0];
        }
    }

    /** Sets the key's record and answers the one before, or {@link #NONE}. */
    int put(long hash1, long hash2, int record) {
        int slot = slot(hash1, hash2);
        int before = records[slot];
        hashes[2 * slot] = hash1;
        hashes[2 * slot + 1] = hash2;
        records[slot] = record;
        return before;
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
