package io.rivulet.store.entry;

import io.rivulet.store.stream.StreamRecordHeader;
import java.nio.ByteBuffer;

/**
 * Visits each entry of a group, in log order. Buffers and headers are lent for the call; position and limit of a buffer
 * must not change.
 */
public interface EntryVisitor {
    /**
     * The record begins at {@code recordAt} in {@code body}: a header and an inline payload. The record of a huge batch
     * is a reference to its file; after it come the first bytes of the payload.
     */
    void batch(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt);

    void queuesCreated(int firstQueueId, int count, int retentionClass);

    /** Existing queues of the range belong to the class from now on. */
    void queuesClassed(int firstQueueId, int count, int retentionClass);

    void queuesDeleted(int firstQueueId, int count);

    void trimmed(int queueId, long startOffset);

    void state(int viewId, ByteBuffer body, int at, int length);
}
