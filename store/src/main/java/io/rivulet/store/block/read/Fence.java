package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockFileLayout;
import java.nio.ByteBuffer;

/**
 * The first key of each directory page. This part of the index is always in memory.
 *
 * <p>Immutable. Memory: 12 bytes for each directory page, which has hundreds of blocks.
 */
final class Fence {
    private final int[] queueIds;
    private final long[] baseOffsets;

    Fence(ByteBuffer bytes) {
        int pages = bytes.remaining() / BlockFileLayout.FENCE_ENTRY_BYTES;
        queueIds = new int[pages];
        baseOffsets = new long[pages];
        for (int i = 0; i < pages; i++) {
            queueIds[i] = bytes.getInt();
            baseOffsets[i] = bytes.getLong();
        }
    }

    int pageCount() {
        return queueIds.length;
    }

    /** The last page that begins at or before (queueId, offset); -1 if all begin after it. */
    int floor(int queueId, long offset) {
        int low = 0;
        int high = queueIds.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (BlockFileLayout.isAfter(queueIds[middle], baseOffsets[middle], queueId, offset)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low - 1;
    }

    /** Whether the page exists and may have blocks of the queue. */
    boolean reaches(int pageIndex, int queueId) {
        return pageIndex < queueIds.length && queueIds[pageIndex] <= queueId;
    }

    int residentBytes() {
        return queueIds.length * BlockFileLayout.FENCE_ENTRY_BYTES;
    }
}
