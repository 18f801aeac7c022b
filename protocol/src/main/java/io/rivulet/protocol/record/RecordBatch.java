package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.ATTRIBUTES;
import static io.rivulet.protocol.record.RecordBatchLayout.BASE_OFFSET;
import static io.rivulet.protocol.record.RecordBatchLayout.BASE_SEQUENCE;
import static io.rivulet.protocol.record.RecordBatchLayout.BASE_TIMESTAMP;
import static io.rivulet.protocol.record.RecordBatchLayout.CODEC_MASK;
import static io.rivulet.protocol.record.RecordBatchLayout.CONTROL_BIT;
import static io.rivulet.protocol.record.RecordBatchLayout.CRC;
import static io.rivulet.protocol.record.RecordBatchLayout.CRC_COVERS_FROM;
import static io.rivulet.protocol.record.RecordBatchLayout.DELETE_HORIZON_BIT;
import static io.rivulet.protocol.record.RecordBatchLayout.HEADER_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.LAST_OFFSET_DELTA;
import static io.rivulet.protocol.record.RecordBatchLayout.LENGTH;
import static io.rivulet.protocol.record.RecordBatchLayout.LENGTH_OVERHEAD_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.LOG_APPEND_TIME_BIT;
import static io.rivulet.protocol.record.RecordBatchLayout.MAGIC;
import static io.rivulet.protocol.record.RecordBatchLayout.MAX_TIMESTAMP;
import static io.rivulet.protocol.record.RecordBatchLayout.NO_PRODUCER_ID;
import static io.rivulet.protocol.record.RecordBatchLayout.PARTITION_LEADER_EPOCH;
import static io.rivulet.protocol.record.RecordBatchLayout.PRODUCER_EPOCH;
import static io.rivulet.protocol.record.RecordBatchLayout.PRODUCER_ID;
import static io.rivulet.protocol.record.RecordBatchLayout.RECORDS;
import static io.rivulet.protocol.record.RecordBatchLayout.RECORD_COUNT;
import static io.rivulet.protocol.record.RecordBatchLayout.TRANSACTIONAL_BIT;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.Codec;
import org.jspecify.annotations.Nullable;

/**
 * The header of a batch, read and stamped in place. A flyweight: {@link #wrap} moves it to another batch without
 * allocation. Owned by one thread.
 *
 * <p>It does not validate; bytes from a client go through {@link BatchValidator} first. It borrows the buffer: it
 * changes no reader or writer index and no reference count, and the buffer must outlive its use.
 */
public final class RecordBatch {
    private final Crc32C crc32c = new Crc32C();
    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int index;

    /**
     * Moves this flyweight to the batch at {@code index}.
     *
     * @param length the bytes that may belong to the batch, at least a header; the length field says how many do
     */
    public RecordBatch wrap(ByteBuf buffer, int index, int length) {
        if (length < HEADER_BYTES) {
            throw new IllegalArgumentException(length + " bytes do not hold the header of a batch");
        }
        this.buffer = buffer;
        this.index = index;
        return this;
    }

    public ByteBuf buffer() {
        return buffer;
    }

    /** Where the batch starts in {@link #buffer}. */
    public int index() {
        return index;
    }

    /** Header and records. */
    public int sizeInBytes() {
        return LENGTH_OVERHEAD_BYTES + buffer.getInt(index + LENGTH);
    }

    /** Where the records, compressed or not, start in {@link #buffer}. */
    public int recordsIndex() {
        return index + RECORDS;
    }

    public int recordsSizeInBytes() {
        return sizeInBytes() - HEADER_BYTES;
    }

    public long baseOffset() {
        return buffer.getLong(index + BASE_OFFSET);
    }

    public int lastOffsetDelta() {
        return buffer.getInt(index + LAST_OFFSET_DELTA);
    }

    public long lastOffset() {
        return baseOffset() + lastOffsetDelta();
    }

    public int partitionLeaderEpoch() {
        return buffer.getInt(index + PARTITION_LEADER_EPOCH);
    }

    public byte magic() {
        return buffer.getByte(index + MAGIC);
    }

    public short attributes() {
        return buffer.getShort(index + ATTRIBUTES);
    }

    /** Null if the attributes have an unknown codec. */
    public @Nullable Codec codec() {
        return Codec.forId(attributes() & CODEC_MASK);
    }

    public boolean isCompressed() {
        return (attributes() & CODEC_MASK) != Codec.NONE.id();
    }

    public TimestampType timestampType() {
        return has(LOG_APPEND_TIME_BIT) ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
    }

    public boolean isTransactional() {
        return has(TRANSACTIONAL_BIT);
    }

    public boolean isControl() {
        return has(CONTROL_BIT);
    }

    /** Whether the base timestamp has the time until which tombstones are kept. */
    public boolean hasDeleteHorizon() {
        return has(DELETE_HORIZON_BIT);
    }

    public long baseTimestamp() {
        return buffer.getLong(index + BASE_TIMESTAMP);
    }

    public long maxTimestamp() {
        return buffer.getLong(index + MAX_TIMESTAMP);
    }

    public boolean hasProducerId() {
        return producerId() != NO_PRODUCER_ID;
    }

    public long producerId() {
        return buffer.getLong(index + PRODUCER_ID);
    }

    public short producerEpoch() {
        return buffer.getShort(index + PRODUCER_EPOCH);
    }

    public int baseSequence() {
        return buffer.getInt(index + BASE_SEQUENCE);
    }

    /** The sequence of the last record. Sequences continue with 0 after the largest int. -1 without a base sequence. */
    public int lastSequence() {
        int base = baseSequence();
        return base < 0 ? base : (base + lastOffsetDelta()) & Integer.MAX_VALUE;
    }

    public int recordCount() {
        return buffer.getInt(index + RECORD_COUNT);
    }

    public int crc() {
        return buffer.getInt(index + CRC);
    }

    /** How many bytes at the end of the batch its CRC covers. */
    public int crcBytes() {
        return sizeInBytes() - CRC_COVERS_FROM;
    }

    public int computeCrc() {
        return crc32c.compute(buffer, index + CRC_COVERS_FROM, crcBytes());
    }

    public boolean isCrcValid() {
        return crc() == computeCrc();
    }

    /** Not covered by the CRC: costs one write. */
    public void stampBaseOffset(long baseOffset) {
        buffer.setLong(index + BASE_OFFSET, baseOffset);
    }

    /**
     * Sets the timestamp type and the max timestamp. If one of them changes, it reads the whole batch to compute the
     * CRC. The caller must have checked the CRC before, because a wrong one becomes right.
     */
    public void stampMaxTimestamp(TimestampType type, long maxTimestamp) {
        if (type == timestampType() && maxTimestamp == maxTimestamp()) {
            return;
        }
        int others = attributes() & ~LOG_APPEND_TIME_BIT;
        int bit = type == TimestampType.LOG_APPEND_TIME ? LOG_APPEND_TIME_BIT : 0;
        buffer.setShort(index + ATTRIBUTES, others | bit);
        buffer.setLong(index + MAX_TIMESTAMP, maxTimestamp);
        stampCrc();
    }

    void stampCrc() {
        buffer.setInt(index + CRC, computeCrc());
    }

    private boolean has(int bit) {
        return (attributes() & bit) != 0;
    }
}
