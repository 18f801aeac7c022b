package io.rivulet.store.block.read;

import static io.rivulet.store.block.format.BlockFileLayout.BLOCK_HEADER_BYTES;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.cache.FileBytes;
import io.rivulet.store.cache.PageClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The block files at one moment. None of them is closed or deleted before the snapshot is closed.
 *
 * <p>Owned by: background thread.
 */
public final class BlockSnapshot implements AutoCloseable {
    private final BlockFileSet set;

    BlockSnapshot(BlockFileSet set) {
        this.set = set;
    }

    /** A block and its file. Valid until the snapshot is closed. */
    public record Placed(BlockFile file, BlockEntry block) {
        /** Whether compaction wrote it. */
        public boolean isCompacted() {
            return file.footer().isCompacted();
        }
    }

    /**
     * Visits the blocks of some queues, whose ids ascend, file by file, oldest first. The blocks of one queue come in
     * order.
     */
    public void forEachBlockOf(int[] queueIds, int from, int to, BlockVisitor visitor) throws IOException {
        set.forEachBlockOf(queueIds, from, to, visitor);
    }

    /** The blocks of a queue in order. */
    public List<Placed> blocksOf(int queueId) throws IOException {
        List<Placed> blocks = new ArrayList<>();
        set.forEachBlockOf(new int[] {queueId}, 0, 1, (file, block) -> blocks.add(new Placed(file, block)));
        return blocks;
    }

    /** The level that a compaction of these queues must have. */
    public int levelAbove(int coverFrom, int coverTo) {
        return set.files().stream()
                .map(BlockFile::footer)
                .filter(footer ->
                        footer.isCompacted() && footer.coverFrom() <= coverTo && footer.coverTo() >= coverFrom)
                .mapToInt(footer -> footer.level() + 1)
                .reduce(BlockFileOrigin.COMPACTED_LEVEL, Math::max);
    }

    /** Verifies the block and puts its stream into the target. */
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
