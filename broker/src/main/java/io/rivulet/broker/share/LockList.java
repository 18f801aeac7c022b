package io.rivulet.broker.share;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The acquired runs of a group that are not pending, in the order of their deadlines. All locks of a group have the
 * same length, so a new one is the last. If the length was reduced, a new lock ends with the one before it.
 *
 * <p>The locks of each member are a list too, without an order, so that the end of a member costs what it has.
 *
 * <p>Guarded by the lock of its group.
 */
final class LockList {
    private final Run ends = new Run(0, 0, 0, RecordState.NONE, 0);
    /** The first lock of each member that has any. */
    private final Map<String, Run> byMember = new HashMap<>(0);

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

    /** Any lock of the member; null if it has none. */
    @Nullable
    Run firstOf(String member) {
        return byMember.get(member);
    }

    /** The run has an owner. */
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
        Run next = byMember.put(ownerOf(run), run);
        run.nextOfOwner = next;
        if (next != null) {
            next.previousOfOwner = run;
        }
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
        removeOfOwner(run);
    }

    private void removeOfOwner(Run run) {
        Run previous = run.previousOfOwner;
        Run next = run.nextOfOwner;
        if (previous != null) {
            previous.nextOfOwner = next;
        } else if (next != null) {
            byMember.put(ownerOf(run), next);
        } else {
            byMember.remove(ownerOf(run));
        }
        if (next != null) {
            next.previousOfOwner = previous;
        }
        run.previousOfOwner = null;
        run.nextOfOwner = null;
    }

    private static String ownerOf(Run run) {
        String owner = run.owner;
        if (owner == null) {
            throw new IllegalStateException("a lock has no owner");
        }
        return owner;
    }

    private static Run linked(@Nullable Run run) {
        if (run == null) {
            throw new IllegalStateException("a run is not in the list of locks");
        }
        return run;
    }
}
