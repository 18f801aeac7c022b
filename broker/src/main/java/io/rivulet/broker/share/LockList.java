package io.rivulet.broker.share;

import org.jspecify.annotations.Nullable;

/**
 * The acquired runs of a group that are not pending, in the order of their deadlines. All locks of a group have the
 * same length, so a new one is the last. If the length was reduced, a new lock ends with the one before it.
 *
 * <p>Guarded by the lock of its group.
 */
final class LockList {
    private final Run ends = new Run(0, 0, 0, RecordState.NONE, 0);
    private int size;

    LockList() {
        ends.earlier = ends;
        ends.later = ends;
    }

    int size() {
        return size;
    }

    @Nullable
    Run first() {
        return size == 0 ? null : ends.later;
    }

    @Nullable
    Run after(Run run) {
        return run.later == ends ? null : run.later;
    }

    void add(Run run, long deadlineNanos) {
        Run before = linked(ends.earlier);
        boolean isLater = before == ends || deadlineNanos - before.deadlineNanos > 0;
        run.deadlineNanos = isLater ? deadlineNanos : before.deadlineNanos;
        insertAfter(before, run);
    }

    /** The second run was split off the first one. */
    void addSplit(Run run, Run rest) {
        rest.deadlineNanos = run.deadlineNanos;
        insertAfter(run, rest);
    }

    private void insertAfter(Run before, Run run) {
        Run after = linked(before.later);
        run.earlier = before;
        run.later = after;
        before.later = run;
        after.earlier = run;
        size++;
    }

    boolean has(Run run) {
        return run.later != null;
    }

    void remove(Run run) {
        Run before = linked(run.earlier);
        Run after = linked(run.later);
        before.later = after;
        after.earlier = before;
        run.earlier = null;
        run.later = null;
        size--;
    }

    private static Run linked(@Nullable Run run) {
        if (run == null) {
            throw new IllegalStateException("a run is not in the list of locks");
        }
        return run;
    }
}
