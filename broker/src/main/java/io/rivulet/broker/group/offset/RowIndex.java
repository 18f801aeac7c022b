package io.rivulet.broker.group.offset;

import io.rivulet.broker.limit.SecretHash;
import java.util.Arrays;

/**
 * Assigns numbers to rows and finds rows by key: open addressing with linear probing, 5 to 11 bytes for each row. A row
 * keeps its number; numbers of removed rows are reused. Subclasses keep the rows' fields in arrays.
 *
 * <p>Owned by: the owner of the rows.
 */
abstract class RowIndex {
    /** The number of an unknown row. */
    public static final int NONE = -1;

    private static final int INITIAL_SLOTS = 8;
    private static final int EMPTY = 0;
    private static final int REMOVED = -1;

    private int[] freeRows = {};
    private int freeCount;
    private int rowLimit;
    /** Row number + 1, {@link #EMPTY} or {@link #REMOVED}. */
    private int[] slots = new int[INITIAL_SLOTS];

    private int usedSlots;

    /** The hash of an existing row's key. */
    abstract long hash(int row);

    public abstract boolean exists(int row);

    /** Whether the row has this key. */
    abstract boolean matches(int row, long keyHigh, long keyLow);

    /** The number of rows. */
    public final int count() {
        return rowLimit - freeCount;
    }

    /** Higher than the number of every row. */
    public final int limit() {
        return rowLimit;
    }

    final int find(long hash, long keyHigh, long keyLow) {
        for (int slot = slot(hash); slots[slot] != EMPTY; slot = next(slot)) {
            int row = slots[slot] - 1;
            if (slots[slot] != REMOVED && matches(row, keyHigh, keyLow)) {
                return row;
            }
        }
        return NONE;
    }

    /** The number for a new row. Its key must be set before {@link #link}. */
    final int newRow() {
        return freeCount > 0 ? freeRows[--freeCount] : rowLimit++;
    }

    final void link(int row) {
        if ((usedSlots + 1) * 4 > slots.length * 3) {
            rebuild(row);
        } else {
            insert(row);
        }
    }

    /** The row's key must be valid during the call. Afterwards {@link #exists} must be false for it. */
    final void unlink(int row) {
        int slot = slot(hash(row));
        while (slots[slot] != row + 1) {
            slot = next(slot);
        }
        slots[slot] = REMOVED;
        if (freeCount == freeRows.length) {
            freeRows = Arrays.copyOf(freeRows, Math.max(4, grown(freeCount)));
        }
        freeRows[freeCount++] = row;
    }

    private void insert(int row) {
        int slot = slot(hash(row));
        while (slots[slot] != EMPTY) {
            slot = next(slot);
        }
        slots[slot] = row + 1;
        usedSlots++;
    }

    private void rebuild(int newRow) {
        int length = INITIAL_SLOTS;
        while (length * 2L < count() * 3L + 3) {
            length *= 2;
        }
        slots = new int[length];
        usedSlots = 0;
        for (int row = 0; row < rowLimit; row++) {
            if (row == newRow || exists(row)) {
                insert(row);
            }
        }
    }

    private int slot(long hash) {
        return (int) SecretHash.of(hash) & (slots.length - 1);
    }

    private int next(int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    /** Grows by a quarter: there are many rows, and copying them is cheaper than unused space. */
    static int grown(int length) {
        return length + Math.max(4, length / 4);
    }
}
