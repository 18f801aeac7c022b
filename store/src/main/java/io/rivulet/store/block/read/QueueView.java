package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockEntry;

/** What merge and retention need of the queue table. The background thread may call it; answers may be out of date. */
@FunctionalInterface
public interface QueueView {
    /** {@link #startOffset} of a queue that is deleted or never existed. */
    long DELETED = Long.MAX_VALUE;

    /** The first offset that can be read; {@link #DELETED} if the queue does not exist. It never falls. */
    long startOffset(int queueId);

    /** Whether a part of the block may still be read. */
    default boolean wants(BlockEntry block) {
        return block.endOffset() > startOffset(block.queueId());
    }
}
