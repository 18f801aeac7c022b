package io.rivulet.store.block;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first block of a queue that ends after an offset, by halving the files that may have it: offsets grow with the
 * files' age, so once a file has such a block, only older ones can have an earlier one.
 *
 * <p>Owned by: the reading thread.
 */
final class BlockSearch {
    private final List<BlockFile> candidates;
    private final int queueId;
    private final long offset;
    private @Nullable FoundBlock found;

    /** The candidates, oldest first, are used up. */
    BlockSearch(List<BlockFile> candidates, int queueId, long offset) {
        this.candidates = candidates;
        this.queueId = queueId;
        this.offset = offset;
    }

    /** What was found; its file is the caller's to release. */
    @Nullable
    FoundBlock found() {
        return found;
    }

    /** False when a file was closed meanwhile, so that the set must have changed. */
    boolean run() throws IOException {
        boolean complete = false;
        try {
            complete = search();
            return complete;
        } finally {
            if (!complete) {
                replaceFound(null);
            }
        }
    }

    private boolean search() throws IOException {
        int low = 0;
        int high = candidates.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            BlockFile file = candidates.get(middle);
            if (!file.acquire()) {
                return false;
            }
            BlockProbe probe = probe(file);
            if (!probe.holdsQueue()) {
                candidates.remove(middle);
                high--;
            } else if (probe.block() == null) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return true;
    }

    /** Takes over the caller's hold on the file. */
    private BlockProbe probe(BlockFile file) throws IOException {
        boolean kept = false;
        try {
            BlockProbe probe = file.find(queueId, offset);
            BlockEntry block = probe.block();
            if (block != null) {
                replaceFound(new FoundBlock(file, block, probe.runEndAddress()));
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
