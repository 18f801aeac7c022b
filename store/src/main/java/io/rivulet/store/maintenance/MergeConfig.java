package io.rivulet.store.maintenance;

import io.rivulet.store.block.BlockFileLimits;
import io.rivulet.store.block.MergePolicy;

/**
 * How block files are merged in the background. Immutable.
 *
 * @param policy which files are merged when
 * @param limits of the files that come out
 * @param stepBytes about what is read and written between two looks at the sweep
 * @param maxDeadLogBytes how much of the log may be there for nobody, only because something older is still referred to; above
 *     it, and above half of what is referred to, the oldest references are replaced by what they refer to
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
