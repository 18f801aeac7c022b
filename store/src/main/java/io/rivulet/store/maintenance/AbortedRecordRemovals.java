package io.rivulet.store.maintenance;

import io.rivulet.store.BatchFormat;
import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.queue.QueueTable;
import java.util.HashMap;
import java.util.Map;

/**
 * Queues from which a compaction has removed aborted records, and up to which offset. The format is notified when the
 * file is in the manifest and the compacted records have left the tail: from then on no new read finds an aborted
 * record.
 *
 * <p>Memory: an entry for each queue of a run with aborted transactions. If the store is closed before the
 * notification, the next compaction of the queue repeats it. Owned by: background thread.
 */
final class AbortedRecordRemovals {
    private final Map<Integer, Long> unpublished = new HashMap<>();
    private final Map<Integer, Long> published = new HashMap<>();

    /** Blocks of the queue before the offset are being compacted. */
    void begin(int queueId, long beforeOffset) {
        unpublished.put(queueId, beforeOffset);
    }

    /** The file is in the manifest, and readers see it. */
    void published() {
        published.putAll(unpublished);
        unpublished.clear();
    }

    /** The file was abandoned. */
    void giveUp() {
        unpublished.clear();
    }

    /** Notifies the format of all queues whose compacted records have left the tail. */
    void notifyFormat(QueueTable queues, BatchFormat format) {
        published.entrySet().removeIf(removal -> {
            int queueId = removal.getKey();
            long beforeOffset = removal.getValue();
            long tailStart = queues.exists(queueId) ? queues.tailStart(queueId) : QueueRow.ABSENT;
            if (tailStart == QueueRow.ABSENT) {
                return true; // Deleted.
            }
            if (tailStart >= beforeOffset) {
                format.abortedRecordsRemoved(queueId, beforeOffset);
                return true;
            }
            return false;
        });
    }
}
