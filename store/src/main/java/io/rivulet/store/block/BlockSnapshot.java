package io.rivulet.store.block;

import static io.rivulet.store.block.BlockFileLayout.BLOCK_HEADER_BYTES;

import io.rivulet.store.cache.FileBytes;
import io.rivulet.store.cache.PageClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The block files of one moment, none of which is closed or deleted before this is.
 *
 * <p>Owned by: background thread.
 */
public final class BlockSnapshot implements AutoCloseable {
    private final BlockFileSet set;

    BlockSnapshot(BlockFileSet set) {
        this.set = set;
    }

    /** A block and the file that it is in. Good as long as its snapshot is. */
    public record Placed(BlockFile file, BlockEntry block) {
        /** Whether compaction has been here. */
        public boolean isCompacted() {
            return file.footer().isCompacted();
        }
    }

    /** Is told of a block, and the file that it is in. */
    public interface Visitor {
        void block(BlockFile file, BlockEntry block) throws IOException;
    }

    /** Shows the blocks of some queues, whose ids ascend, file by file from the oldest on: those of a queue in their order. */
    public void forEachBlockOf(int[] queueIds, int from, int to, Visitor visitor) throws IOException {
        set.forEachBlockOf(queueIds, from, to, visitor::block);
    }

    /** The blocks of a queue in their order. */
    public List<Placed> blocksOf(int queueId) throws IOException {
        List<Placed> blocks = new ArrayList<>();
        set.forEachBlockOf(new int[] {queueId}, 0, 1, (file, block) -> blocks.add(new Placed(file, block)));
        return blocks;
    }

    /** The level that a compaction of these queues has to have. */
    public int levelAbove(int coverFrom, int coverTo) {
        return set.files().stream()
                .map(BlockFile::footer)
                .filter(footer ->
                        footer.isCompacted() && footer.coverFrom() <= coverTo && footer.coverTo() >= coverFrom)
                .mapToInt(footer -> footer.level() + 1)
                .reduce(BlockFileOrigin.COMPACTED_LEVEL, Math::max);
    }

    /** Puts the block's stream, verified, into the target. */
    public void read(Placed placed, ByteBuffer target) throws IOException {
        BlockEntry block = placed.block();
        try (FileBytes bytes = placed.file().readBlock(block, 0, PageClass.SCAN)) {
            bytes.copyTo(BLOCK_HEADER_BYTES, block.streamBytes(), target);
        }
    }

    @Override
    public void close() {
        set.releaseAll();
    }
}
