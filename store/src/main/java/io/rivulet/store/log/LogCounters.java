package io.rivulet.store.log;

import java.util.concurrent.atomic.LongAdder;

/** What a log has done since it was opened. Thread-safe; each counter only grows. */
public final class LogCounters {
    private final LongAdder groups = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder forces = new LongAdder();
    private final LongAdder forceNanos = new LongAdder();
    private final LongAdder refusedAppends = new LongAdder();
    /** The number of groups at the last refusal. */
    private volatile long refusedAtGroups = -1;

    /** A group of this length was written. */
    public void written(long bytes) {
        groups.increment();
        writtenBytes.add(bytes);
    }

    /** A force took this time. */
    public void forced(long nanos) {
        forces.increment();
        forceNanos.add(nanos);
    }

    public void refused(int appends) {
        refusedAppends.add(appends);
        refusedAtGroups = groups.sum();
    }

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

    /** Whether the last append was refused, mostly because the disk was full. */
    public boolean refusesAppends() {
        return refusedAtGroups == groups.sum();
    }
}
