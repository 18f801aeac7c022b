package io.rivulet.store.block.format;

/**
 * Which data a new file gets. Known before its first block.
 *
 * <p>Immutable.
 *
 * @param level 1 for a file of the sweep, one more for each merge; for a compacted file 256, or one more than the files
 *     that it replaces
 * @param firstCycle the first sweep cycle whose data the file gets
 * @param lastCycle the last one
 * @param coverFrom the first queue id of the range that the file will cover
 */
public record BlockFileOrigin(BlockFileId id, int level, long firstCycle, long lastCycle, int coverFrom) {
    public static final int SWEEP_LEVEL = 1;

    /** Files of this level and above come from compaction. Merges stay below it. */
    public static final int COMPACTED_LEVEL = 256;

    public BlockFileOrigin {
        if (level < SWEEP_LEVEL || firstCycle > lastCycle || coverFrom < 0) {
            throw new IllegalArgumentException("no origin: level " + level + ", cycles " + firstCycle + " to "
                    + lastCycle + ", queues from " + coverFrom);
        }
    }

    /** The origin of a file of the sweep. */
    public static BlockFileOrigin ofSweep(BlockFileId id, long cycle, int firstQueueId) {
        return new BlockFileOrigin(id, SWEEP_LEVEL, cycle, cycle, firstQueueId);
    }
}
