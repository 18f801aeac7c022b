package io.rivulet.store.block;

/** What merge and retention ask the queue table. Thread-safe enough for the background thread; answers may be out of date. */
@FunctionalInterface
public interface QueueView {
    /** What {@link #startOffset} says of a queue that is deleted, or that never was. */
    long DELETED = Long.MAX_VALUE;

    /** The first offset that anybody may read; {@link #DELETED} if the queue is gone. It never falls. */
    long startOffset(int queueId);

    /** Whether some of the block may still be read. */
    default boolean wants(BlockEntry block) {
        return block.endOffset() > startOffset(block.queueId());
    }
}
