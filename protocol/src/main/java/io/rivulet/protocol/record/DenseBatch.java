package io.rivulet.protocol.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Makes one batch for consumers from the records of adjacent slim batches. It writes records one by one, and the header
 * in {@link #close}. The batch has no producer id, which consumers do not need.
 *
 * <p>It keeps no buffer: each call gets the start of the batch, so the buffer may have been moved. Owned by one thread.
 */
public final class DenseBatch {
    /** A batch of this size accepts no more records, because a consumer needs memory for a whole batch. */
    private static final int ENOUGH_BYTES = 64 << 10;
    /** Attributes of a record. */
    private static final int ATTRIBUTES_BYTES = 1;

    private final CRC32C crc = new CRC32C();
    private int count;
    private int bytes;
    private long baseOffset;
    private long baseTimestamp;
    private long maxTimestamp;

    public boolean isOpen() {
        return count > 0;
    }

    /** Bytes so far, header included. */
    public int sizeInBytes() {
        return bytes;
    }

    /** Whether the record with this offset can be appended. */
    public boolean takes(long offset) {
        return count > 0 && offset == baseOffset + count && bytes < ENOUGH_BYTES;
    }

    /** Starts a new batch and drops an open one. */
    public void begin(long offset, long timestamp) {
        count = 0;
        bytes = RecordBatchLayout.HEADER_BYTES;
        baseOffset = offset;
        baseTimestamp = timestamp;
        maxTimestamp = timestamp;
    }

    /** Size of a batch with this record as its first. */
    public static int bytesOfFirst(int bodyLength) {
        return RecordBatchLayout.HEADER_BYTES + recordBytes(lengthOf(0, 0, bodyLength));
    }

    /** Size of this record as the next one of this batch. */
    public int bytesOfNext(long timestamp, int bodyLength) {
        return recordBytes(lengthOf(timestamp - baseTimestamp, count, bodyLength));
    }

    private static int lengthOf(long timestampDelta, int offsetDelta, int bodyLength) {
        return ATTRIBUTES_BYTES + Varints.sizeOf(timestampDelta) + Varints.sizeOf(offsetDelta) + bodyLength;
    }

    private static int recordBytes(int length) {
        return Varints.sizeOf(length) + length;
    }

    /**
     * Appends the next record.
     *
     * @param at start of this batch in {@code target}; position and limit are ignored
     * @param body the record from its key length on
     */
    public void append(ByteBuffer target, int at, long timestamp, ByteBuffer body, int bodyAt, int bodyLength) {
        long timestampDelta = timestamp - baseTimestamp;
        int next = Varints.put(target, at + bytes, lengthOf(timestampDelta, count, bodyLength));
        target.put(next, (byte) 0);
        next = Varints.put(target, next + ATTRIBUTES_BYTES, timestampDelta);
        next = Varints.put(target, next, count);
        target.put(next, body, bodyAt, bodyLength);
        bytes = next + bodyLength - at;
        maxTimestamp = Math.max(maxTimestamp, timestamp);
        count++;
    }

    /** Writes the header of the open batch. Then the target's position is 0 and its limit is its capacity. */
    public void close(ByteBuffer target, int at, int leaderEpoch) {
        target.putLong(at + RecordBatchLayout.BASE_OFFSET, baseOffset);
        target.putInt(at + RecordBatchLayout.LENGTH, bytes - RecordBatchLayout.LENGTH_OVERHEAD_BYTES);
        target.putInt(at + RecordBatchLayout.PARTITION_LEADER_EPOCH, leaderEpoch);
        target.put(at + RecordBatchLayout.MAGIC, RecordBatchLayout.CURRENT_MAGIC);
        target.putShort(at + RecordBatchLayout.ATTRIBUTES, (short) 0);
        target.putInt(at + RecordBatchLayout.LAST_OFFSET_DELTA, count - 1);
        target.putLong(at + RecordBatchLayout.BASE_TIMESTAMP, baseTimestamp);
        target.putLong(at + RecordBatchLayout.MAX_TIMESTAMP, maxTimestamp);
        target.putLong(at + RecordBatchLayout.PRODUCER_ID, RecordBatchLayout.NO_PRODUCER_ID);
        target.putShort(at + RecordBatchLayout.PRODUCER_EPOCH, RecordBatchLayout.NO_PRODUCER_EPOCH);
        target.putInt(at + RecordBatchLayout.BASE_SEQUENCE, RecordBatchLayout.NO_SEQUENCE);
        target.putInt(at + RecordBatchLayout.RECORD_COUNT, count);
        crc.reset();
        crc.update(target.limit(at + bytes).position(at + RecordBatchLayout.CRC_COVERS_FROM));
        target.clear().putInt(at + RecordBatchLayout.CRC, (int) crc.getValue());
        count = 0;
    }

    /** Drops an open batch. */
    public void forget() {
        count = 0;
    }
}
