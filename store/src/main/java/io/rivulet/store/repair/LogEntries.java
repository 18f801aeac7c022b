package io.rivulet.store.repair;

import io.rivulet.store.entry.EntryVisitor;
import io.rivulet.store.stream.StreamRecordHeader;
import java.nio.ByteBuffer;

/** Skips every entry. Implementations override the entries that they need. */
interface LogEntries extends EntryVisitor {
    @Override
    default void batch(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {}

    @Override
    default void queuesCreated(int firstQueueId, int count, int retentionClass) {}

    @Override
    default void queuesClassed(int firstQueueId, int count, int retentionClass) {}

    @Override
    default void queuesDeleted(int firstQueueId, int count) {}

    @Override
    default void trimmed(int queueId, long startOffset) {}

    @Override
    default void state(int viewId, ByteBuffer body, int at, int length) {}
}
