package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockEntry;

/**
 * A block and its file, which stays open until this is closed. Close it exactly once.
 *
 * <p>Immutable. Owned by: the thread that found it.
 *
 * @param runEndAddress up to this address all following blocks are known to belong to the same queue
 */
record FoundBlock(BlockFile file, BlockEntry block, long runEndAddress) implements AutoCloseable {

    @Override
    public void close() {
        file.release();
    }
}
