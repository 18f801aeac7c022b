package io.rivulet.broker.topic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A hash table from the hash of a topic's name or id to its row: open addressing with linear probing. A slot has the
 * number of the row and, in the remaining bits, a part of the hash, so a probe rarely reads rows of other topics.
 *
 * <p>One thread writes, any thread reads. A slot is published with release.
 */
final class RowSlots {
    /** An empty slot, which ends a probe. */
    static final int EMPTY = 0;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int TAG_SHIFT = 8;

    private final int[] slots;
    private final int rowMask;
    private final int hashShift;

    /** @param length a power of two, greater than any row */
    RowSlots(int length) {
        this.slots = new int[length];
        this.rowMask = length - 1;
        this.hashShift = Long.numberOfLeadingZeros(rowMask);
    }

    int length() {
        return slots.length;
    }

    static long mixed(long hash) {
        return hash * 0x9E3779B97F4A7C15L;
    }

    /** The first slot of a probe. */
    int first(long mixed) {
        return (int) (mixed >>> hashShift);
    }

    int next(int slot) {
        return slot + 1 & rowMask;
    }

    int value(int slot) {
        return (int) SLOT.getAcquire(slots, slot);
    }

    /** Whether the slot may belong to this hash. */
    boolean isLike(int value, long mixed) {
        return ((value ^ tag(mixed)) & ~rowMask) == 0 && row(value) != 0;
    }

    int row(int value) {
        return value & rowMask;
    }

    private static int tag(long mixed) {
        return (int) (mixed >>> TAG_SHIFT);
    }

    // ---- the writing thread ----

    void add(long mixed, int row) {
        int slot = first(mixed);
        while (slots[slot] != EMPTY) {
            slot = next(slot);
        }
        SLOT.setRelease(slots, slot, (tag(mixed) & ~rowMask) | row);
    }

    /** Leaves a tombstone, so that a probe continues behind it. */
    void remove(long mixed, int row) {
        int slot = first(mixed);
        while (row(slots[slot]) != row) {
            slot = next(slot);
        }
        SLOT.setRelease(slots, slot, ~rowMask);
    }
}
