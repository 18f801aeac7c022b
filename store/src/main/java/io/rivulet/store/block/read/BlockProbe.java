package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockEntry;
import org.jspecify.annotations.Nullable;

/**
 * What one file has for an offset of a queue.
 *
 * <p>Immutable.
 *
 * @param holdsQueue whether the file has any block of the queue that is needed
 * @param block the first block of the queue that ends after the offset; null if all end at or before it
 * @param runEndAddress up to this address all following blocks are known to belong to the same queue
 * @param isLast whether it is known that the file has no further block of the queue
 */
record BlockProbe(boolean holdsQueue, @Nullable BlockEntry block, long runEndAddress, boolean isLast) {
    /** The file has no block of this queue. */
    static final BlockProbe ABSENT = new BlockProbe(false, null, 0, true);

    /** The queue's blocks in this file all end at or before the offset. */
    static final BlockProbe PAST = new BlockProbe(true, null, 0, true);
}
