package io.rivulet.broker.group.consumer;

import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.group.base.GroupContext;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Turns for groups whose assignment takes long. They run one at a time, and after each turn the thread does other work
 * for ten times as long. So groups whose subscriptions change all the time do not delay commits and heartbeats of other
 * groups. A group with a fast assignment needs no turn.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class AssignmentTurns {
    private static final long LONG_MILLIS = 5;
    private static final long RESTS = 10;

    private final CoordinatorClock clock;
    private final Timers.Timer timer;
    /** In the order of arrival; each group is in it at most once. */
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    private long restUntilMillis = Long.MIN_VALUE;

    public AssignmentTurns(GroupContext context) {
        this.clock = context.clock();
        this.timer = context.timers().timer(this::next);
    }

    public long begin() {
        return clock.elapsedMillis();
    }

    /** Returns whether it took long. If so, the next assignment needs a turn. */
    public boolean end(long beganMillis) {
        long now = clock.elapsedMillis();
        long took = now - beganMillis;
        if (took < LONG_MILLIS) {
            return false;
        }
        restUntilMillis = now + RESTS * took;
        return true;
    }

    public boolean isFree() {
        return waiting.isEmpty() && clock.elapsedMillis() >= restUntilMillis;
    }

    /** Runs the task in its turn. */
    public void await(Runnable turn) {
        waiting.add(turn);
        schedule();
    }

    private void schedule() {
        timer.set(clock.nanosIn(Math.max(0, restUntilMillis - clock.elapsedMillis())));
    }

    private void next() {
        Runnable turn = waiting.poll();
        if (turn != null) {
            turn.run();
        }
        if (!waiting.isEmpty()) {
            schedule();
        }
    }
}
