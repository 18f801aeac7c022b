package io.rivulet.broker.fetch;

import java.util.BitSet;

/**
 * Which slots of a session are to be read next.
 *
 * <p>A partition is <i>ready</i> until it was read, there was nothing to read and it is not owed; appends make it ready again. It is
 * <i>owed</i> from when the client names it first until an answer contains it, even if there is nothing to read.
 *
 * <p>Owned by: the fetch that has the session. {@link #setReady} may come from any thread at any time.
 */
final class Readiness {
    private final ReadySet ready = new ReadySet();
    private final BitSet owed = new BitSet();
    private int slots;
    private int owedCount;
    private int nextTurn;

    /** Makes room for the slots below this one. */
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
    int next(int from) {
        return from >= slots ? -1 : ready.next(from);
    }

    void setReady(int slot) {
        ready.set(slot);
    }

    /** From here on only an append makes it ready. To be called before the queue is read. */
    void clearReady(int slot) {
        ready.clear(slot);
    }

    // ---- owed ----

    void owe(int slot) {
        owed.set(slot);
        owedCount++;
    }

    boolean isOwed(int slot) {
        return owed.get(slot);
    }

    /** An answer contains it. */
    void settle(int slot) {
        if (owed.get(slot)) {
            owed.clear(slot);
            owedCount--;
        }
    }

    int owedCount() {
        return owedCount;
    }

    // ---- turns ----

    /** Where the next answer begins, so that each partition has its turn. */
    int turn() {
        return nextTurn < slots ? nextTurn : 0;
    }

    void turnBehind(int slot) {
        nextTurn = slot + 1;
    }
}
