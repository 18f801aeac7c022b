package io.rivulet.store.block.merge;

import io.rivulet.store.block.write.BlockWriteBuffers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of a {@link BlockMerger}, reused by the next merge. One merge at a time.
 *
 * <p>Memory: {@link #INPUT_BYTES} for each input cycle of the largest merge so far, one block, and the write buffers.
 *
 * <p>Owned by: background thread.
 */
public final class MergeBuffers {
    static final int INPUT_BYTES = 512 << 10;

    private final BlockWriteBuffers output = new BlockWriteBuffers();
    private final List<ByteBuffer> inputs = new ArrayList<>();
    private ByteBuffer block = ByteBuffer.allocateDirect(0);

    BlockWriteBuffers output() {
        return output;
    }

    ByteBuffer input(int cycleIndex) {
        while (inputs.size() <= cycleIndex) {
            inputs.add(ByteBuffer.allocateDirect(INPUT_BYTES));
        }
        return inputs.get(cycleIndex).clear();
    }

    /** A buffer of exactly this size. */
    ByteBuffer block(int targetBlockBytes) {
        if (block.capacity() < targetBlockBytes) {
            block = ByteBuffer.allocateDirect(targetBlockBytes);
        }
        return block.slice(0, targetBlockBytes);
    }
}
