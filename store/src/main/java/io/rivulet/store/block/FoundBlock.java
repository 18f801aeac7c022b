package io.rivulet.store.block;

/**
 * A block and the file that it is in, which stays open until this is closed, exactly once.
 *
 * <p>Immutable. Owned by: the thread that found it.
 *
 * @param runEndAddress how far the blocks behind it are known to be the same queue's
 */
record FoundBlock(BlockFile file, BlockEntry block, long runEndAddress) implements AutoCloseable {

    @Override
    public void close() {
        file.release();
    }
}
