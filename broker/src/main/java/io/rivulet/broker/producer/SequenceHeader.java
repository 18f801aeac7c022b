package io.rivulet.broker.producer;

import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.SlimBatch;
import java.nio.ByteBuffer;

/**
 * The producer fields of a batch, dense or slim, in a big-endian buffer. A flyweight: {@link #read} moves it to the
 * next batch. Owned by one thread.
 */
public final class SequenceHeader {
    private final SlimBatch slim = new SlimBatch();
    private long producerId = RecordBatchLayout.NO_PRODUCER_ID;
    private short epoch;
    private int baseSequence;
    private int recordCount;
    private int attributes;

    /** False for a batch without a sequence: it is not from an idempotent producer, or the broker wrote it. */
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

    /** The sequence after the last one; after the largest int comes 0. */
    static int next(int baseSequence, int recordCount) {
        return baseSequence + recordCount & Integer.MAX_VALUE;
    }

    /** The sequence that is so many records before this one. */
    static int first(int nextSequence, int recordCount) {
        return nextSequence - recordCount & Integer.MAX_VALUE;
    }
}
