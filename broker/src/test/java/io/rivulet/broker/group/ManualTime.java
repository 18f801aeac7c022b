package io.rivulet.broker.group;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.group.base.GroupContext;
import java.util.Map;

/** The environment of groups, with a clock that the test moves. */
public final class ManualTime {
    private static final long HEAP_BYTES = 1L << 30;

    private final Timers timers = new Timers();
    private long nanos = 1_000_000_000L;
    private long nanosPerRead;
    private int nextId;

    public GroupContext context() {
        return new GroupContext(
                BrokerConfig.of(Map.of()).groups(),
                new CoordinatorClock(
                        () -> nanos += nanosPerRead,
                        () -> nanos / CoordinatorClock.NANOS_PER_MILLI,
                        () -> nanos / CoordinatorClock.NANOS_PER_MILLI),
                timers,
                new HeapBudget(HEAP_BYTES),
                () -> "id-" + nextId++);
    }

    /** Each read of the clock takes so long, and so does everything that is measured. */
    public void everyReadTakes(long millis) {
        nanosPerRead = millis * CoordinatorClock.NANOS_PER_MILLI;
    }

    /** Moves the clock and runs the timers that become due, in order. */
    public void pass(long millis) {
        long end = nanos + millis * CoordinatorClock.NANOS_PER_MILLI;
        long next = timers.nanosToNext(nanos);
        while (next != Long.MAX_VALUE && nanos + next <= end) {
            nanos += next;
            timers.run(nanos);
            next = timers.nanosToNext(nanos);
        }
        nanos = end;
    }
}
