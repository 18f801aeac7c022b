package io.rivulet.store.repair;

import io.rivulet.store.queue.QueueTable;

/** Applies creations and deletions of queues to a table, and skips all other entries. */
class QueueChanges implements LogEntries {
    private final QueueTable table;

    QueueChanges(QueueTable table) {
        this.table = table;
    }

    @Override
    public final void queuesCreated(int firstQueueId, int count, int retentionClass) {
        table.createRange(firstQueueId, count, retentionClass);
    }

    @Override
    public final void queuesDeleted(int firstQueueId, int count) {
        for (int queueId = firstQueueId; queueId < firstQueueId + count; queueId++) {
            table.delete(queueId);
        }
    }
}
