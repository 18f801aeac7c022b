package io.rivulet.broker.producer;

import io.rivulet.protocol.record.RecordBatchLayout;
import java.nio.ByteBuffer;

/**
 * What a batch says of its producer, read out of a big-endian buffer. A flyweight: {@link #read} moves it to the next batch. Owned by
 * one thread.
 */
final class SequenceHeader {
    private long producerId = RecordBatchLayout.NO_PRODUCER_ID;
    private short epoch;
    private int baseSequence;
    private int recordCount;
    private int attributes;
    private int leaderEpoch;

    /** False for a batch without a sequence: of no idempotent producer, or written by the broker itself. */
    boolean read(ByteBuffer buffer, int at) {
        producerId = buffer.getLong(at + RecordBatchLayout.PRODUCER_ID);
        attributes = 0;
        if (producerId == RecordBatchLayout.NO_PRODUCER_ID) {
            return false;
        }
        attributes = buffer.getShort(at + RecordBatchLayout.ATTRIBUTES);
        leaderEpoch = buffer.getInt(at + RecordBatchLayout.PARTITION_LEADER_EPOCH);
        epoch = buffer.getShort(at + RecordBatchLayout.PRODUCER_EPOCH);
        baseSequence = buffer.getInt(at + RecordBatchLayout.BASE_SEQUENCE);
        recordCount = buffer.getInt(at + RecordBatchLayout.RECORD_COUNT);
        return baseSequence >= 0;
    }

    long producerId() {
        return producerId;
    }

    short epoch() {
        return epoch;
    }

    int baseSequence() {
        return baseSequence;
    }

    int recordCount() {
        return recordCount;
    }

    boolean isTransactional() {
        return (attributes & RecordBatchLayout.TRANSACTIONAL_BIT) != 0;
    }

    boolean isControl() {
        return (attributes & RecordBatchLayout.CONTROL_BIT) != 0;
    }

    /** Whether the batch adds its queue to the transaction: {@link SequenceGate#ADDS_ITSELF}. */
    boolean addsItself() {
        return leaderEpoch == SequenceGate.ADDS_ITSELF;
    }

    /** The sequence behind the last: they go from the largest int back to 0. */
    static int next(int baseSequence, int recordCount) {
        return baseSequence + recordCount & Integer.MAX_VALUE;
    }
}
