package io.rivulet.store.maintenance;

import io.rivulet.store.block.BlockFileLimits;

/**
 * How compaction goes about its work. Immutable.
 *
 * @param memoryBytes for the keys and records of a queue
 * @param pauseMillis between two looks at all files, and if it is short between two sweep cycles that are there for little data that has
 *     become old
 * @param limits of the files that come out; neighbouring queues share one up to its target size
 */
public record CompactionConfig(long memoryBytes, long pauseMillis, long stepBytes, BlockFileLimits limits) {
    private static final long MIN_MEMORY_BYTES = 16 << 10;
    private static final long MAX_MIN_TAIL_AGE_MILLIS = 5_000;

    /** As much memory and as long a pause as Kafka has by default. */
    public static final CompactionConfig DEFAULT =
            new CompactionConfig(128L << 20, 15_000, 4L << 20, BlockFileLimits.MERGE);

    public CompactionConfig {
        if (memoryBytes < MIN_MEMORY_BYTES || pauseMillis < 1 || stepBytes < 1) {
            throw new IllegalArgumentException("compaction in " + memoryBytes + " bytes, must be " + MIN_MEMORY_BYTES
                    + " or more; pause of " + pauseMillis + " ms, steps of " + stepBytes
                    + " bytes, must be 1 or more");
        }
    }

    /** How long little data stays in the tail at least, however small the age is at which it would have to leave it. */
    public long minTailAgeMillis() {
        return Math.min(MAX_MIN_TAIL_AGE_MILLIS, pauseMillis);
    }
}
