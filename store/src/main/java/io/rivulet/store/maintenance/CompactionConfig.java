package io.rivulet.store.maintenance;

import io.rivulet.store.block.write.BlockFileLimits;

/**
 * The configuration of compaction. Immutable.
 *
 * @param memoryBytes for the keys and records of a queue
 * @param pauseMillis between two searches of all files, and if it is short, between two sweep cycles that run only
 *     because a little data has become old
 * @param limits of compacted files; neighbouring queues share a file up to its target size
 */
public record CompactionConfig(long memoryBytes, long pauseMillis, long stepBytes, BlockFileLimits limits) {
    private static final long MIN_MEMORY_BYTES = 16 << 10;
    private static final long MAX_MIN_TAIL_AGE_MILLIS = 5_000;

    /** The same memory and pause as Kafka's defaults. */
    public static final CompactionConfig DEFAULT =
            new CompactionConfig(128L << 20, 15_000, 4L << 20, BlockFileLimits.MERGE);

    public CompactionConfig {
        if (memoryBytes < MIN_MEMORY_BYTES || pauseMillis < 1 || stepBytes < 1) {
            throw new IllegalArgumentException("compaction in " + memoryBytes + " bytes, must be " + MIN_MEMORY_BYTES
                    + " or more; pause of " + pauseMillis + " ms, steps of " + stepBytes
                    + " bytes, must be 1 or more");
        }
    }

    /** The least time that a little data stays in the tail, even if it should leave earlier. */
    public long minTailAgeMillis() {
        return Math.min(MAX_MIN_TAIL_AGE_MILLIS, pauseMillis);
    }
}
