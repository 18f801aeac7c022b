package io.rivulet.store.maintenance;

import io.rivulet.store.BatchFormat;
import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.queue.QueueTable;
import java.util.HashMap;
import java.util.Map;

/**
 * Queues whose aborted records a compaction has left out, and up to which offset. The format is told when the file is in the manifest
 * and the tail has let go of what was compacted: from then on no read that begins finds such a record.
 *
 * <p>Memory: an entry for each queue of a run with aborted transactions. What is not told when the store closes, the next compaction
 * of the queue tells. Owned by: background thread.
 */
final class AbortedRecordRemovals {
    private final Map<Integer, Long> unpublished = new HashMap<>();
    private final Map<Integer, Long> published = new HashMap<>();

    /** The queue's blocks before the offset are being compacted. */
    void begin(int queueId, long beforeOffset) {
        unpublished.put(queueId, beforeOffset);
    }

    /** The file is in the manifest, and readers see it. */
    void published() {
        published.putAll(unpublished);
        unpublished.clear();
    }

    /** The file was given up. */
    void giveUp() {
        unpublished.clear();
    }

    /** Tells the format of those that the tail has let go of. */
    void notifyFormat(QueueTable queues, BatchFormat format) {
        published.entrySet().removeIf(removal -> {
            int queueId = removal.getKey();
            long beforeOffset = removal.getValue();
            long tailStart = queues.exists(queueId) ? queues.tailStart(queueId) : QueueRow.ABSENT;
            if (tailStart == QueueRow.ABSENT) {
                return true; // Deleted.
            }
            if (tailStart >= beforeOffset) {
                format.abortedAreGone(queueId, beforeOffset);
                return true;
            }
            return false;
        });
    }
}
