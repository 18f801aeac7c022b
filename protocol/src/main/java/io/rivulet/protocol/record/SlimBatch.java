package io.rivulet.protocol.record;

import java.nio.ByteBuffer;

/**
 * A batch of one record, without the bytes that can be derived. A flyweight that reads in place: {@link #wrap} moves
 * it. Owned by one thread.
 *
 * <pre>
 *   marker int8: 0x80, and 0x01 if the producer has an id
 *   with a producer id: id varlong | epoch varint | base sequence varint, none of them zigzag coded
 *   the record from its key length on, as in {@link RecordBatchLayout}, to the end
 * </pre>
 *
 * Its owner knows offset and timestamp. It has no transaction, no compression and no log append time, and its record
 * has a value. A full batch starts with its base offset, which is never negative, so the first bit distinguishes the
 * two forms.
 *
 * <p>{@link Slimmer} makes it; {@link DenseBatch} makes batches for consumers from it. It is not validated: its owner
 * has a checksum.
 */
public final class SlimBatch {
    /** A larger batch is kept as it was sent, because the slim form would save little. */
    public static final int MAX_BATCH_BYTES = 1024;

    static final int MARKER = 0x80;
    static final int PRODUCER_FLAG = 0x01;

    private static final long NO_PRODUCER_ID = RecordBatchLayout.NO_PRODUCER_ID;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int next;
    private int bodyAt;
    private long producerId = NO_PRODUCER_ID;
    private short producerEpoch;
    private int baseSequence;

    /** Whether a batch that starts with this byte is a slim batch. */
    public static boolean isSlim(byte first) {
        return first < 0;
    }

    /** Moves this flyweight to the slim batch at the index; position and limit are ignored. */
    public SlimBatch wrap(ByteBuffer buffer, int at) {
        this.buffer = buffer;
        int marker = buffer.get(at) & 0xff;
        next = at + 1;
        if (marker == (MARKER | PRODUCER_FLAG)) {
            producerId = unsigned();
            producerEpoch = (short) unsigned();
            baseSequence = (int) unsigned();
        } else if (marker == MARKER) {
            producerId = NO_PRODUCER_ID;
            producerEpoch = RecordBatchLayout.NO_PRODUCER_EPOCH;
            baseSequence = RecordBatchLayout.NO_SEQUENCE;
        } else {
            throw new IllegalStateException("there is no form of a batch with marker " + marker);
        }
        bodyAt = next;
        return this;
    }

    private long unsigned() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = buffer.get(next++);
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    public long producerId() {
        return producerId;
    }

    public short producerEpoch() {
        return producerEpoch;
    }

    public int baseSequence() {
        return baseSequence;
    }

    /** The index of the record's key length, where its body starts. */
    public int bodyAt() {
        return bodyAt;
    }

    /** {@link RecordView#NULL_LENGTH} for a null key. */
    public int keyLength() {
        next = bodyAt;
        return (int) Varints.unzigzag(unsigned());
    }

    /** The index of the key, if there is one. */
    public int keyAt() {
        keyLength();
        return next;
    }
}
