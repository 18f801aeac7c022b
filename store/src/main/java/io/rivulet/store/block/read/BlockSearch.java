package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockEntry;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the blocks of a queue one after the other, beginning at an offset. Younger files have higher offsets. So a
 * binary search over the files finds the first block: if a file has a block after the offset, only older files can have
 * an earlier one. The following blocks are in the same file or in younger ones.
 *
 * <p>Owned by: the reading thread.
 */
final class BlockSearch {
    private final BlockFiles files;
    private final int queueId;
    private final long timestampDelta;
    private final VerifiedPages known;
    private List<BlockFile> candidates;
    /** Older files have nothing more. Until the first block is found, no file is excluded. */
    private int low;

    private boolean begun;
    private @Nullable FoundBlock found;
    /** The file of the found block has no more blocks from this offset on. */
    private long fileEndOffset = Long.MAX_VALUE;

    BlockSearch(BlockFiles files, int queueId, long timestampDelta, VerifiedPages known) {
        this.files = files;
        this.queueId = queueId;
        this.timestampDelta = timestampDelta;
        this.known = known;
        this.candidates = files.candidates(queueId, timestampDelta);
    }

    /**
     * The first block that ends after the offset: the one that holds it, or the next one. The caller closes the result.
     *
     * @param offset not lower than in earlier calls
     */
    @Nullable
    FoundBlock next(long offset) throws IOException {
        while (!found(offset)) {
            candidates = files.candidates(queueId, timestampDelta);
            begun = false;
        }
        FoundBlock block = found;
        found = null;
        return block;
    }

    /** False if a file was closed meanwhile, which means that the set has changed. */
    private boolean found(long offset) throws IOException {
        boolean complete = false;
        try {
            complete = begun ? goOn(offset) : begin(offset);
            return complete;
        } finally {
            if (!complete) {
                replaceFound(null);
            }
        }
    }

    private boolean begin(long offset) throws IOException {
        low = 0;
        fileEndOffset = Long.MAX_VALUE;
        int high = candidates.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            BlockFile file = candidates.get(middle);
            if (!file.acquire()) {
                return false;
            }
            BlockProbe probe = probe(file, offset);
            if (!probe.holdsQueue()) {
                candidates.remove(middle);
                high--;
            } else if (probe.block() == null) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        begun = true;
        return true;
    }

    private boolean goOn(long offset) throws IOException {
        if (offset >= fileEndOffset) {
            low++;
        }
        fileEndOffset = Long.MAX_VALUE;
        for (; low < candidates.size(); low++) {
            BlockFile file = candidates.get(low);
            if (!file.acquire()) {
                return false;
            }
            if (probe(file, offset).block() != null) {
                return true;
            }
        }
        return true;
    }

    /** Takes over the caller's reference to the file. */
    private BlockProbe probe(BlockFile file, long offset) throws IOException {
        boolean kept = false;
        try {
            BlockProbe probe = file.find(queueId, offset, known);
            BlockEntry block = probe.block();
            if (block != null) {
                replaceFound(new FoundBlock(file, block, probe.runEndAddress()));
                fileEndOffset = probe.isLast() ? block.endOffset() : Long.MAX_VALUE;
                kept = true;
            }
            return probe;
        } finally {
            if (!kept) {
                file.release();
            }
        }
    }

    private void replaceFound(@Nullable FoundBlock better) {
        FoundBlock before = found;
        found = better;
        if (before != null) {
            before.close();
        }
    }
}
