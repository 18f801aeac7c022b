package io.rivulet.broker.group.consumer;

import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.group.base.GroupContext;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Turns of the groups whose queues take long to share: one at a time, and after each the thread has ten times as long for other work.
 * So members that change their subscriptions all the time do not hold up the commits and heartbeats of other groups. A group that
 * shares its queues quickly needs no turn.
 *
 * <p>Owned by: the thread that owns the groups.
 */
public final class SharingTurns {
    private static final long LONG_MILLIS = 5;
    private static final long RESTS = 10;

    private final CoordinatorClock clock;
    private final Timers.Timer timer;
    /** Each group is in here once at most. The first one that came is the next. */
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    private long restUntilMillis = Long.MIN_VALUE;

    public SharingTurns(GroupContext around) {
        this.clock = around.clock();
        this.timer = around.timers().timer(this::next);
    }

    long begin() {
        return clock.elapsedMillis();
    }

    /** Answers whether it took long, so that the next time takes a turn. */
    boolean end(long beganMillis) {
        long now = clock.elapsedMillis();
        long took = now - beganMillis;
        if (took < LONG_MILLIS) {
            return false;
        }
        restUntilMillis = now + RESTS * took;
        return true;
    }

    boolean isFree() {
        return waiting.isEmpty() && clock.elapsedMillis() >= restUntilMillis;
    }

    /** Runs the turn when it has come. */
    void await(Runnable turn) {
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
