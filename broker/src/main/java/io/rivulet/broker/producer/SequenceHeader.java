package io.rivulet.broker.producer;

import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.SlimBatch;
import java.nio.ByteBuffer;

/**
 * What a batch says of its producer, as it was sent or slim, read out of a big-endian buffer. A flyweight: {@link #read} moves it to the next batch. Owned by
 * one thread.
 */
public final class SequenceHeader {
    private final SlimBatch slim = new SlimBatch();
    private long producerId = RecordBatchLayout.NO_PRODUCER_ID;
    private short epoch;
    private int baseSequence;
    private int recordCount;
    private int attributes;

    /** False for a batch without a sequence: of no idempotent producer, or written by the broker itself. */
    public boolean read(ByteBuffer buffer, int at) {
        return SlimBatch.isSlim(buffer.get(at)) ? readSlim(buffer, at) : readAsSent(buffer, at);
    }

    private boolean readSlim(ByteBuffer buffer, int at) {
        slim.wrap(buffer, at);
        producerId = slim.producerId();
        attributes = 0;
        epoch = slim.producerEpoch();
        baseSequence = slim.baseSequence();
        recordCount = 1;
        return producerId != RecordBatchLayout.NO_PRODUCER_ID;
    }

    private boolean readAsSent(ByteBuffer buffer, int at) {
        producerId = buffer.getLong(at + RecordBatchLayout.PRODUCER_ID);
        attributes = 0;
        if (producerId == RecordBatchLayout.NO_PRODUCER_ID) {
            return false;
        }
        attributes = buffer.getShort(at + RecordBatchLayout.ATTRIBUTES);
        epoch = buffer.getShort(at + RecordBatchLayout.PRODUCER_EPOCH);
        baseSequence = buffer.getInt(at + RecordBatchLayout.BASE_SEQUENCE);
        recordCount = buffer.getInt(at + RecordBatchLayout.RECORD_COUNT);
        return baseSequence >= 0;
    }

    public long producerId() {
        return producerId;
    }

    public short epoch() {
        return epoch;
    }

    public int baseSequence() {
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

    /** The sequence behind the last: they go from the largest int back to 0. */
    static int next(int baseSequence, int recordCount) {
        return baseSequence + recordCount & Integer.MAX_VALUE;
    }

    /** The sequence of the first of so many records in front of this one. */
    static int first(int nextSequence, int recordCount) {
        return nextSequence - recordCount & Integer.MAX_VALUE;
    }
}
