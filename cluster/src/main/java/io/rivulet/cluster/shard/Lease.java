package io.rivulet.cluster.shard;

import java.util.function.LongSupplier;

/**
 * Until when an owner may answer from the state of its shard. Belongs to one claim: what was read in one epoch is never
 * answered in another. Thread-safe; {@link ShardHost} extends it.
 */
public final class Lease {
    private final LongSupplier clockNanos;
    private volatile boolean holds;
    private volatile long untilNanos;

    Lease(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    /**
     * Whether an answer that no append stands behind may leave: that something is the latest, or does not exist. Asked
     * after the answer was made.
     */
    public boolean holds() {
        return holds && clockNanos.getAsLong() - untilNanos < 0;
    }

    void extend(long nanos) {
        untilNanos = nanos;
    }

    void begin() {
        holds = true;
    }

    /** For good. */
    void end() {
        holds = false;
    }
}
