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

    /** False for a batch without a sequence: of no idempotent producer, or written by the broker itself. */
    boolean read(ByteBuffer buffer, int at) {
        producerId = buffer.getLong(at + RecordBatchLayout.PRODUCER_ID);
        if (producerId == RecordBatchLayout.NO_PRODUCER_ID) {
            return false;
        }
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

    /** The sequence behind the last: they go from the largest int back to 0. */
    static int next(int baseSequence, int recordCount) {
        return baseSequence + recordCount & Integer.MAX_VALUE;
    }
}
