package io.rivulet.broker.internal;

import org.jspecify.annotations.Nullable;

/**
 * Takes the records of an internal topic.
 *
 * <p>Owned by: the coordinator thread.
 */
public interface RecordSink {
    /** Whether changes of the state must be written now. */
    boolean isRead();

    /**
     * Writes a record. {@link #flush} must follow.
     *
     * @param id the group or transactional id, which determines the partition as in Kafka
     * @param value null to delete the key
     */
    void put(String id, long millis, byte[] key, byte @Nullable [] value);

    /** Whether a slice of an image should end, because many bytes are in flight. */
    boolean isFull();

    /** Appends the records of one change. */
    void flush();
}
