package io.rivulet.store.open;

import io.rivulet.store.block.BlockFileLimits;

/**
 * Sizes that follow from the configuration or are nobody's to choose; tests make them small. Immutable.
 *
 * @param sweptFiles of the sweep
 * @param sweepCopyBytes what the sweep copies from the tail in one go; the largest record of a stream fits into it
 * @param maintenanceStepBytes what the background thread does in one go
 */
record StoreSizes(BlockFileLimits sweptFiles, int sweepCopyBytes, long maintenanceStepBytes) {
    private static final int TAIL_SHARE_OF_A_FILE = 8;
    private static final int SWEEP_COPY_BYTES = 1 << 20;
    private static final long MAINTENANCE_STEP_BYTES = 4 << 20;

    static StoreSizes of(StoreConfig config) {
        BlockFileLimits sweep = BlockFileLimits.SWEEP;
        BlockFileLimits sweptFiles = new BlockFileLimits(
                sweep.targetBlockBytes(),
                Math.min(sweep.targetFileBytes(), config.tailBytes() / TAIL_SHARE_OF_A_FILE),
                sweep.maxFileBlocks());
        return new StoreSizes(sweptFiles, SWEEP_COPY_BYTES, MAINTENANCE_STEP_BYTES);
    }
}
