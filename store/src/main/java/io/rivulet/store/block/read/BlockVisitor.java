package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockEntry;
import java.io.IOException;

/** Receives blocks, each with its file. */
@FunctionalInterface
public interface BlockVisitor {
    void block(BlockFile file, BlockEntry block) throws IOException;
}
