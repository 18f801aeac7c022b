package io.rivulet.store.block;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the blocks of a queue one after the other, from an offset on. Offsets grow with the files' age: the first block is found by
 * halving the files that may have it, for once a file has such a block, only older ones can have an earlier one; those that follow
 * are in the same file or in younger ones, one after the other.
 *
 * <p>Owned by: the reading thread.
 */
final class BlockSearch {
    private final BlockFiles files;
    private final int queueId;
    private final long timestampDelta;
    private final VerifiedPages known;
    private List<BlockFile> candidates;
    /** What is older has nothing more; no file is excluded before the first block is found. */
    private int low;

    private boolean begun;
    private @Nullable FoundBlock found;
    /** From this offset on the file of the block that was found has nothing more. */
    private long fileEndOffset = Long.MAX_VALUE;

    BlockSearch(BlockFiles files, int queueId, long timestampDelta, VerifiedPages known) {
        this.files = files;
        this.queueId = queueId;
        this.timestampDelta = timestampDelta;
        this.known = known;
        this.candidates = files.candidates(queueId, timestampDelta);
    }

    /**
     * The first block that ends after the offset: the one that holds it, or the next if nothing does. The caller closes what it gets.
     *
     * @param offset not lower than in the calls before
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

    /** False when a file was closed meanwhile, so that the set must have changed. */
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

    /** Takes over the caller's hold on the file. */
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
