package io.rivulet.broker.producer;

import io.rivulet.broker.limit.SecretHash;

/**
 * Finds the row of a producer and queue. Keys are spread over several tables with linear probing, so that to grow one
 * table takes little time.
 *
 * <p>Owned by: log-writer thread.
 */
final class SequenceIndex {
    private static final int TABLES = 64;
    private static final int INITIAL_SLOTS = 16;

    private final SequenceRows rows;
    /** Row number + 1, or 0 for an empty slot. */
    private final int[][] tables = new int[TABLES][INITIAL_SLOTS];

    private final int[] used = new int[TABLES];

    SequenceIndex(SequenceRows rows) {
        this.rows = rows;
    }

    int find(long producerId, int queueId) {
        long hash = hash(producerId, queueId);
        int[] slots = tables[table(hash)];
        for (int slot = home(hash, slots); slots[slot] != 0; slot = slot + 1 & slots.length - 1) {
            int row = slots[slot] - 1;
            if (rows.producerId(row) == producerId && rows.queueId(row) == queueId) {
                return row;
            }
        }
        return SequenceRows.NO_ROW;
    }

    void add(int row) {
        long hash = hash(row);
        int table = table(hash);
        if (++used[table] * 2 > tables[table].length) {
            resize(table, 2 * tables[table].length);
        }
        insert(tables[table], hash, row);
    }

    private static void insert(int[] slots, long hash, int row) {
        int slot = home(hash, slots);
        while (slots[slot] != 0) {
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = row + 1;
    }

    /** Moves later entries that the gap would make unreachable. */
    void remove(int row) {
        long hash = hash(row);
        int table = table(hash);
        int[] slots = tables[table];
        int mask = slots.length - 1;
        int gap = home(hash, slots);
        while (slots[gap] != row + 1) {
            gap = gap + 1 & mask;
        }
        for (int slot = gap + 1 & mask; slots[slot] != 0; slot = slot + 1 & mask) {
            int home = home(hash(slots[slot] - 1), slots);
            if ((slot - home & mask) >= (slot - gap & mask)) {
                slots[gap] = slots[slot];
                gap = slot;
            }
        }
        slots[gap] = 0;
        if (--used[table] * 8 < slots.length && slots.length > INITIAL_SLOTS) {
            resize(table, slots.length / 2);
        }
    }

    private void resize(int table, int length) {
        int[] before = tables[table];
        int[] after = new int[length];
        for (int slot : before) {
            if (slot != 0) {
                insert(after, hash(slot - 1), slot - 1);
            }
        }
        tables[table] = after;
    }

    long memoryBytes() {
        long bytes = 0;
        for (int[] slots : tables) {
            bytes += (long) slots.length * Integer.BYTES;
        }
        return bytes;
    }

    private long hash(int row) {
        return hash(rows.producerId(row), rows.queueId(row));
    }

    private static long hash(long producerId, int queueId) {
        return SecretHash.of(producerId, queueId);
    }

    private static int table(long hash) {
        return (int) (hash >>> 58);
    }

    private static int home(long hash, int[] slots) {
        return (int) (hash >>> 20) & slots.length - 1;
    }
}
