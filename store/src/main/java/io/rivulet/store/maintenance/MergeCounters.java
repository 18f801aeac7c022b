package io.rivulet.store.maintenance;

import io.rivulet.store.block.merge.MergePolicy.MergeDebt;

/** Counters of merges and the work that is left. Written by the background thread, read by any. */
public final class MergeCounters {
    private volatile long mergedBytes;
    private volatile long merges;
    private volatile long failures;
    private volatile MergeDebt debt = new MergeDebt(0, 0, false);

    /** Bytes of files that merges have written since the store was opened. */
    public long mergedBytes() {
        return mergedBytes;
    }

    /** Completed merges. */
    public long merges() {
        return merges;
    }

    /** Failed merges. */
    public long failures() {
        return failures;
    }

    public MergeDebt debt() {
        return debt;
    }

    void wrote(long bytes) {
        mergedBytes = mergedBytes() + bytes;
    }

    void finished() {
        merges = merges() + 1;
    }

    void failed() {
        failures = failures() + 1;
    }

    void owes(MergeDebt newDebt) {
        debt = newDebt;
    }
}
