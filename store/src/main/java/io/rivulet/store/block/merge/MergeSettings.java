package io.rivulet.store.block.merge;

import io.rivulet.store.block.write.BlockFileLimits;

/**
 * Parameters of one merge.
 *
 * <p>Immutable.
 *
 * @param limits of the output files
 * @param stepBytes about how much one step reads and writes; a step also ends a file, which adds its directory
 * @param inlineBelowLsn references to groups before this are replaced by their payloads; 0 for none
 */
public record MergeSettings(BlockFileLimits limits, long stepBytes, long inlineBelowLsn) {
    public MergeSettings {
        if (stepBytes < 1 || inlineBelowLsn < 0) {
            throw new IllegalArgumentException("steps of " + stepBytes + " bytes, must be 1 or more; inlining below "
                    + inlineBelowLsn + ", must be 0 or more");
        }
    }
}
