package io.rivulet.store.compact;

import java.util.Arrays;

/**
 * The number of the last record of each key, by the hash of the key. Open addressing, at most three quarters full.
 * Grows with its keys up to its limit, and then rejects new keys.
 *
 * <pre>
 * slot = second hash (8) | upper half of the first hash (4) | record (4), -1 if the slot is free
 * </pre>
 *
 * <p>The end of the second hash says where the search for a slot begins.
 *
 * <p>Memory: 16 bytes for each slot, a power of two of them, and half as many again while it grows; never more than it
 * was made for. Owned by: background thread.
 */
final class KeyTable {
    static final int NONE = -1;

    private static final int SLOT_BYTES = 2 * Long.BYTES;
    private static final int MIN_SLOTS = 256;
    /** A table of this many slots is kept for the next queue. */
    private static final int KEPT_SLOTS = 1 << 14;

    private static final long FREE = -1;
    private static final long RECORD_BITS = 0xFFFF_FFFFL;

    private final int maxSlots;
    private long[] slots = new long[0];
    private int count;
    private boolean full;

    KeyTable(long maxBytes) {
        long most = Math.max(MIN_SLOTS, Math.min(maxBytes / (SLOT_BYTES + SLOT_BYTES / 2), 1 << 29));
        this.maxSlots = Integer.highestOneBit((int) most);
        shrink();
    }

    private int slotCount() {
        return slots.length / 2;
    }

    /** Empties the table. */
    void clear() {
        Arrays.fill(slots, FREE);
        count = 0;
        full = false;
    }

    /** Empties the table and frees the memory that a large queue needed. */
    void shrink() {
        if (slotCount() > KEPT_SLOTS || slotCount() < MIN_SLOTS) {
            slots = new long[2 * MIN_SLOTS];
        }
        clear();
    }

    /** Whether a key was rejected since the table was cleared. */
    boolean isFull() {
        return full;
    }

    /** Sets the key's record and returns the one before, or {@link #NONE}. */
    int put(long hash1, long hash2, int record) {
        int at = find(hash1, hash2);
        int before = (int) slots[at + 1];
        if (before == NONE) {
            if (count == slotCount() / 4 * 3) {
                if (slotCount() == maxSlots) {
                    full = true;
                    return NONE;
                }
                grow();
                at = find(hash1, hash2);
            }
            count++;
        }
        slots[at] = hash2;
        slots[at + 1] = (hash1 & ~RECORD_BITS) | record;
        return before;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[2 * old.length];
        Arrays.fill(slots, FREE);
        for (int from = 0; from < old.length; from += 2) {
            if ((int) old[from + 1] != NONE) {
                int at = find(old[from + 1], old[from]);
                slots[at] = old[from];
                slots[at + 1] = old[from + 1];
            }
        }
    }

    boolean has(long hash1, long hash2) {
        return (int) slots[find(hash1, hash2) + 1] != NONE;
    }

    /** The slot of the key, or the free slot for it. */
    private int find(long hash1, long hash2) {
        int mask = slots.length - 1;
        int at = 2 * (int) hash2 & mask;
        while ((int) slots[at + 1] != NONE && (slots[at] != hash2 || (slots[at + 1] ^ hash1) >>> Integer.SIZE != 0)) {
            at = (at + 2) & mask;
        }
        return at;
    }
}
