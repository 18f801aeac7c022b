package io.rivulet.broker.share;

import io.rivulet.protocol.wire.Uuid;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is under way in one row: runs without gaps, from the start offset to the next offset to acquire; the fetch that
 * reads the row; and the sessions that wait for it. A row where nothing is under way has no such object.
 *
 * <p>Guarded by the lock of its group.
 */
final class RowRuns {
    /** The heap of one object without runs, with a session that waits. */
    static final int HEAP_BYTES = 96;

    private static final int INITIAL_RUNS = 2;

    /** A session that waits, its slot, and the next one. */
    private record Waiting(
            RowWaiter waiter, int slot, @Nullable Waiting next) {}

    /**
     * The runs before the gap, the gap, and the runs behind it. Changes move the gap to their index, so that changes
     * from the first run to the last cost as much as one, however many they are.
     */
    private Run[] runs = new Run[INITIAL_RUNS];

    private int size;
    /** The index of the gap. It is as long as there are places without a run. */
    private int gap;

    /** The topic of the queue; null until a fetch has claimed the row. */
    @Nullable
    Uuid topicId;
    /** A fetch reads the row, and will acquire. */
    boolean claimed;
    /** An entry on its way to the log will reset or remove the row. */
    boolean closing;
    /** No run before this index can be acquired. */
    private int firstAvailable;

    /** The session that began to wait last, and the others. */
    private @Nullable RowWaiter waiter;

    private int waiterSlot;
    private @Nullable Waiting others;
    /** A session waits for another fetch that has the row, or for the start offset, because too many are acquired. */
    private boolean waitsForChange;

    int size() {
        return size;
    }

    Run get(int index) {
        return runs[index < gap ? index : index + runs.length - size];
    }

    boolean isIdle() {
        return size == 0 && !claimed && !closing && waiter == null;
    }

    /** Whether it takes no more heap than a new one. */
    boolean isSmall() {
        return runs.length == INITIAL_RUNS;
    }

    /** An idle object becomes like a new one. */
    void clear() {
        topicId = null;
        firstAvailable = 0;
        waitsForChange = false;
    }

    /** The offset behind the last run; {@code start} if there is none. */
    long next(long start) {
        return size == 0 ? start : get(size - 1).last + 1;
    }

    /** The index of the run with the offset; or of the first one behind it. */
    int find(long offset) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (get(middle).last < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    void append(Run run) {
        insert(size, run);
    }

    void insert(int index, Run run) {
        if (size == runs.length) {
            gap = size;
            runs = Arrays.copyOf(runs, size + Math.max(INITIAL_RUNS, size >> 1));
        }
        moveGap(index);
        runs[gap++] = run;
        size++;
        if (run.isAvailable()) {
            available(index);
        } else if (index < firstAvailable) {
            firstAvailable++;
        }
    }

    private void moveGap(int index) {
        int length = runs.length - size;
        if (index < gap) {
            System.arraycopy(runs, index, runs, index + length, gap - index);
            Arrays.fill(runs, index, Math.min(gap, index + length), null);
        } else {
            System.arraycopy(runs, gap + length, runs, gap, index - gap);
            Arrays.fill(runs, Math.max(index, gap + length), index + length, null);
        }
        gap = index;
    }

    /** Removes the runs from an index to before another one. */
    void remove(int from, int until) {
        moveGap(from);
        int behindGap = from + runs.length - size;
        Arrays.fill(runs, behindGap, behindGap + until - from, null);
        size -= until - from;
        if (until <= firstAvailable) {
            firstAvailable -= until - from;
        } else {
            firstAvailable = Math.min(firstAvailable, from);
        }
    }

    /** The first run that can be acquired; null if there is none. */
    @Nullable
    Run firstAvailable() {
        while (firstAvailable < size && !get(firstAvailable).isAvailable()) {
            firstAvailable++;
        }
        return firstAvailable == size ? null : get(firstAvailable);
    }

    /** The run at this index can be acquired again. */
    void available(int index) {
        firstAvailable = Math.min(firstAvailable, index);
    }

    /**
     * Joins the runs around this one with it if nothing tells them apart. Returns how many runs are fewer: none if
     * there is no such run, because the start offset has moved meanwhile.
     */
    int merge(int index) {
        if (index >= size) {
            return 0;
        }
        int from = index;
        while (from > 0 && canMerge(get(from - 1), get(from))) {
            from--;
        }
        int until = index + 1;
        while (until < size && canMerge(get(until - 1), get(until))) {
            until++;
        }
        if (until - from > 1) {
            get(from).last = get(until - 1).last;
            remove(from + 1, until);
        }
        return until - from - 1;
    }

    private static boolean canMerge(Run first, Run second) {
        boolean settled = first.state != RecordState.ACQUIRED && first.state == second.state;
        return settled && first.deliveries == second.deliveries && first.together == second.together;
    }

    // ---- waiting sessions ----

    /**
     * @param forChange whether it waits for another fetch or for the start offset; otherwise, only that records can be
     *     acquired again
     */
    void await(RowWaiter newWaiter, int slot, boolean forChange) {
        waitsForChange |= forChange;
        Waiting live = null;
        for (Waiting other = others; other != null; other = other.next) {
            live = andIfLive(other.waiter, other.slot, newWaiter, live);
        }
        others = waiter == null ? live : andIfLive(waiter, waiterSlot, newWaiter, live);
        waiter = newWaiter;
        waiterSlot = slot;
    }

    private static @Nullable Waiting andIfLive(RowWaiter other, int slot, RowWaiter newWaiter, @Nullable Waiting live) {
        return other == newWaiter || other.hasEnded() ? live : new Waiting(other, slot, live);
    }

    /**
     * Notifies the sessions that wait, if there may be something to acquire.
     *
     * @param changed whether a fetch has left the row, or the start offset has moved
     */
    void wakeIfUseful(boolean changed) {
        if (waiter != null && ((changed && waitsForChange) || firstAvailable() != null)) {
            wake();
        } else if (size == 0 && !claimed && !closing) {
            waiter = null; // appends notify them
            others = null;
            waitsForChange = false;
        }
    }

    void wake() {
        RowWaiter last = waiter;
        Waiting woken = others;
        waiter = null;
        others = null;
        waitsForChange = false;
        if (last != null) {
            last.ready(waiterSlot);
        }
        for (; woken != null; woken = woken.next) {
            woken.waiter.ready(woken.slot);
        }
    }
}
