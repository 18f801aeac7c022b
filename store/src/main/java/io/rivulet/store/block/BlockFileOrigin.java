package io.rivulet.store.block;

/**
 * Whose data a new file takes: known before its first block.
 *
 * <p>Immutable.
 *
 * @param level 1 for a file of the sweep, one more for each merge; for a compacted file 256, or one more than those it replaces
 * @param firstCycle the first sweep cycle whose data it takes
 * @param lastCycle the last one
 * @param coverFrom the first queue id of the range that it will answer for
 */
public record BlockFileOrigin(BlockFileId id, int level, long firstCycle, long lastCycle, int coverFrom) {
    static final int SWEEP_LEVEL = 1;

    /** Files of this level and above come from compaction; no merge gets as far. */
    static final int COMPACTED_LEVEL = 256;

    public BlockFileOrigin {
        if (level < SWEEP_LEVEL || firstCycle > lastCycle || coverFrom < 0) {
            throw new IllegalArgumentException("no origin: level " + level + ", cycles " + firstCycle + " to "
                    + lastCycle + ", queues from " + coverFrom);
        }
    }

    /** Of a file that the sweep writes. */
    public static BlockFileOrigin ofSweep(BlockFileId id, long cycle, int firstQueueId) {
        return new BlockFileOrigin(id, SWEEP_LEVEL, cycle, cycle, firstQueueId);
    }
}
