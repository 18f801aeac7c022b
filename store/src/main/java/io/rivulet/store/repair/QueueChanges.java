package io.rivulet.store.repair;

import io.rivulet.store.queue.QueueTable;
import org.jspecify.annotations.Nullable;

/** Applies creations and deletions of queues to a table, and skips all other entries. */
class QueueChanges implements LogEntries {
    private final @Nullable QueueTable table;

    /** @param table null to skip these, too */
    QueueChanges(@Nullable QueueTable table) {
        this.table = table;
    }

    @Override
    public final void queuesCreated(int firstQueueId, int count, int retentionClass) {
        if (table != null) {
            table.createRange(firstQueueId, count, retentionClass);
        }
    }

    @Override
    public final void queuesDeleted(int firstQueueId, int count) {
        for (int queueId = firstQueueId; table != null && queueId < firstQueueId + count; queueId++) {
            table.delete(queueId);
        }
    }
}
