package io.rivulet.store.log;

import java.util.concurrent.atomic.LongAdder;

/** What a log has done since it was opened. Thread-safe; each counter only grows. */
public final class LogCounters {
    final LongAdder groups = new LongAdder();
    final LongAdder writtenBytes = new LongAdder();
    final LongAdder forces = new LongAdder();
    final LongAdder forceNanos = new LongAdder();
    final LongAdder refusedAppends = new LongAdder();

    public long groups() {
        return groups.sum();
    }

    /** Headers and padding included. */
    public long writtenBytes() {
        return writtenBytes.sum();
    }

    public long forces() {
        return forces.sum();
    }

    public long forceNanos() {
        return forceNanos.sum();
    }

    /** Appends of which nothing is in the log. */
    public long refusedAppends() {
        return refusedAppends.sum();
    }
}
