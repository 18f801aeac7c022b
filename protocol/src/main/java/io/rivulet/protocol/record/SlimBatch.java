package io.rivulet.protocol.record;

import java.nio.ByteBuffer;

/**
 * A batch of one record without what can be derived, read where it lies. A flyweight: {@link #wrap} moves it to the next one. Owned by
 * one thread.
 *
 * <pre>
 *   marker int8: 0x80, and 0x01 when the producer has an id
 *   with a producer id: id varlong | epoch varint | base sequence varint, none of them zigzag coded
 *   the record from its key length on, as {@link RecordBatchLayout} has it, to the end
 * </pre>
 *
 * Offset and timestamp are known to whoever keeps it; it is of no transaction, not compressed, timed by its producer, and its record
 * has a value. A batch as it was sent begins with its base offset, which is never negative, so the first bit tells the two apart.
 *
 * <p>{@link Slimmer} makes it, {@link DenseBatch} makes batches of it for consumers. It is believed: whoever keeps it has a checksum.
 */
public final class SlimBatch {
    /** A batch of more bytes stays as it was sent: there is little to spare. */
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

    /** Whether what begins with this byte is a slim batch, and not one as it was sent. */
    public static boolean isSlim(byte first) {
        return first < 0;
    }

    /** Places this over the slim batch at the index, whatever position and limit are. */
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
            throw new IllegalStateException("no form of a batch is marked " + marker);
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

    /** Where the record's key length is, with which its body begins that reaches to the end. */
    public int bodyAt() {
        return bodyAt;
    }

    /** {@link RecordView#NULL_LENGTH} for a null key. */
    public int keyLength() {
        next = bodyAt;
        return (int) Varints.unzigzag(unsigned());
    }

    /** Where the key is, if there is one. */
    public int keyAt() {
        keyLength();
        return next;
    }
}
