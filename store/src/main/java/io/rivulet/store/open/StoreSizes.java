package io.rivulet.store.open;

import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.stream.StreamRecord;

/**
 * Sizes that follow from the configuration or are fixed. Tests make them small. Immutable.
 *
 * @param sweptFiles limits of the files that the sweep writes
 * @param sweepCopyBytes how much the sweep copies from the tail at once; at least the largest record of a stream
 * @param maintenanceStepBytes how much the background thread does in one step
 */
record StoreSizes(BlockFileLimits sweptFiles, int sweepCopyBytes, long maintenanceStepBytes) {
    private static final int TAIL_SHARE_OF_A_FILE = 8;
    private static final int TAIL_SHARE_OF_A_RECORD = 32;
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

    /**
     * Where the log does not keep batches: payloads from this length on stay in the log until the sweep copies them.
     * The tail has the shorter ones, as the sweep would have to read them back.
     */
    int unkeptReferenceFromBytes(long tailBytes) {
        long most = Math.min(sweepCopyBytes - StreamRecord.MAX_HEADER_BYTES, tailBytes / TAIL_SHARE_OF_A_RECORD);
        return Math.max(StreamRecord.REFERENCE_FROM_BYTES, (int) most);
    }
}
