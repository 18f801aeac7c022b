package io.rivulet.store.maintenance;

import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.write.BlockFileLimits;

/**
 * How block files are merged in the background. Immutable.
 *
 * @param policy decides which files are merged when
 * @param limits of the output files
 * @param stepBytes about how much is read and written between two steps of the sweep
 * @param maxDeadLogBytes how much unused log may be kept because older groups are still referenced. Above it, and above
 *     half of the referenced bytes, the oldest references are replaced by their payloads
 */
public record MergeConfig(MergePolicy policy, BlockFileLimits limits, long stepBytes, long maxDeadLogBytes) {
    private static final int FAN_IN = 8;
    private static final int MAX_LEVEL = 2;
    private static final int MAX_DEBT = 4 * FAN_IN;
    private static final int LARGE_BLOCK_BYTES = 32 << 10;
    private static final long STEP_BYTES = 4L << 20;
    private static final long MAX_DEAD_LOG_BYTES = 1L << 30;

    public static final MergeConfig DEFAULT = new MergeConfig(
            new MergePolicy(FAN_IN, MAX_LEVEL, MAX_DEBT, LARGE_BLOCK_BYTES),
            BlockFileLimits.MERGE,
            STEP_BYTES,
            MAX_DEAD_LOG_BYTES);

    public MergeConfig {
        if (stepBytes < 1 || maxDeadLogBytes < 0) {
            throw new IllegalArgumentException("steps of " + stepBytes + " bytes, must be 1 or more; dead log of "
                    + maxDeadLogBytes + " bytes, must be 0 or more");
        }
    }
}
