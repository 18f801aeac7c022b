package io.rivulet.broker.fetch;

import java.util.BitSet;

/**
 * The slots of a session to read next.
 *
 * <p>A partition is <i>ready</i> until a pass has read it, found no more records, and it is not owed. Appends make it
 * ready again. It is <i>owed</i> from its first mention by the client, or from an error, until an answer contains it
 * without an error, even if it is empty.
 *
 * <p>Owned by: the fetch that has the session. Any thread may call {@link #setReady}.
 */
public final class Readiness {
    private final ReadySet ready = new ReadySet();
    private final BitSet owed = new BitSet();
    private int slots;
    private int owedCount;
    private int nextTurn;

    /** Makes room for slots below this number. */
    void grow(int newSlots) {
        slots = newSlots;
        ready.grow(newSlots);
    }

    /** The slot is free: it is neither ready nor owed. */
    void remove(int slot) {
        ready.clear(slot);
        settle(slot);
    }

    // ---- ready ----

    /** The next ready slot from this one on, or -1. */
    public int next(int from) {
        return from >= slots ? -1 : ready.next(from);
    }

    public void setReady(int slot) {
        ready.set(slot);
    }

    /** From now on only an append makes the slot ready. Must be called before the queue is read. */
    public void clearReady(int slot) {
        ready.clear(slot);
    }

    // ---- owed ----

    public void owe(int slot) {
        if (!owed.get(slot)) {
            owed.set(slot);
            owedCount++;
        }
    }

    boolean isOwed(int slot) {
        return owed.get(slot);
    }

    /** An answer contains the slot, without an error. */
    public void settle(int slot) {
        if (owed.get(slot)) {
            owed.clear(slot);
            owedCount--;
        }
    }

    int owedCount() {
        return owedCount;
    }

    /** The next slot from this one on that is owed, whether it is ready or not, or -1. */
    public int nextOwed(int from) {
        return owed.nextSetBit(from);
    }

    public boolean isReady(int slot) {
        return ready.next(slot) == slot;
    }

    // ---- turns ----

    /** The slot where the next pass begins, so that each partition has its turn. */
    public int turn() {
        return nextTurn < slots ? nextTurn : 0;
    }

    public void turnBehind(int slot) {
        nextTurn = slot + 1;
    }
}
