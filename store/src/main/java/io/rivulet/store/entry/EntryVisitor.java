package io.rivulet.store.entry;

import io.rivulet.store.stream.StreamRecordHeader;
import java.nio.ByteBuffer;

/**
 * Is told each entry of a group, in log order. Buffers and headers are lent for the call; positions and limits of a
 * buffer must be left alone.
 */
public interface EntryVisitor {
    /** The record, header and inline payload, begins at {@code recordAt} in {@code body}. */
    void batch(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt);

    void queuesCreated(int firstQueueId, int count, int retentionClass);

    /** Those of the range that exist belong to the class from here on. */
    void queuesClassed(int firstQueueId, int count, int retentionClass);

    void queuesDeleted(int firstQueueId, int count);

    void trimmed(int queueId, long startOffset);

    void state(int viewId, ByteBuffer body, int at, int length);
}
