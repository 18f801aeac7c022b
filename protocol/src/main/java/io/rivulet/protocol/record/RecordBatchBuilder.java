package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.CONTROL_BIT;
import static io.rivulet.protocol.record.RecordBatchLayout.CURRENT_MAGIC;
import static io.rivulet.protocol.record.RecordBatchLayout.DELETE_HORIZON_BIT;
import static io.rivulet.protocol.record.RecordBatchLayout.HEADER_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.LENGTH_OVERHEAD_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.LOG_APPEND_TIME_BIT;
import static io.rivulet.protocol.record.RecordBatchLayout.NO_PARTITION_LEADER_EPOCH;
import static io.rivulet.protocol.record.RecordBatchLayout.NO_PRODUCER_EPOCH;
import static io.rivulet.protocol.record.RecordBatchLayout.NO_PRODUCER_ID;
import static io.rivulet.protocol.record.RecordBatchLayout.NO_SEQUENCE;
import static io.rivulet.protocol.record.RecordBatchLayout.NO_TIMESTAMP;
import static io.rivulet.protocol.record.RecordBatchLayout.TRANSACTIONAL_BIT;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.protocol.record.codec.CodecException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a batch: settings, then records, then {@link #build}. Owned by one thread.
 *
 * <p>Buffers: keys and values are copied on append; they are neither released nor moved. The caller releases the built
 * batch. A builder that is not built must be closed; to close it after the build does nothing.
 */
public final class RecordBatchBuilder implements AutoCloseable {
    private static final int INITIAL_BYTES = 512;

    private final ByteBufAllocator allocator;
    private @Nullable ByteBuf staged;

    private Codec codec = Codec.NONE;
    private int level = Codec.NONE.defaultLevel();
    private long baseOffset;
    private int partitionLeaderEpoch = NO_PARTITION_LEADER_EPOCH;
    private long producerId = NO_PRODUCER_ID;
    private short producerEpoch = NO_PRODUCER_EPOCH;
    private int baseSequence = NO_SEQUENCE;
    private int flags;
    private long logAppendTimestamp = NO_TIMESTAMP;

    private int count;
    private int lastOffsetDelta = -1;
    private long baseTimestamp = NO_TIMESTAMP;
    private long maxTimestamp = NO_TIMESTAMP;

    public RecordBatchBuilder(ByteBufAllocator allocator) {
        this.allocator = allocator;
        this.staged = allocator.heapBuffer(INITIAL_BYTES).writeZero(HEADER_BYTES);
    }

    /** The control batch that ends a producer's transaction in one queue; the caller releases it. */
    public static ByteBuf marker(
            ByteBufAllocator allocator,
            ControlMarker marker,
            long baseOffset,
            long timestamp,
            long producerId,
            short producerEpoch,
            int coordinatorEpoch) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(allocator)) {
            return builder.baseOffset(baseOffset)
                    .producer(producerId, producerEpoch, NO_SEQUENCE)
                    .transactional()
                    .control()
                    .append(timestamp, marker.key(), ControlMarker.value(coordinatorEpoch), List.of())
                    .build();
        }
    }

    public RecordBatchBuilder compression(Codec codec, int level) {
        this.codec = codec;
        this.level = level;
        return this;
    }

    public RecordBatchBuilder compression(Codec codec) {
        return compression(codec, codec.defaultLevel());
    }

    public RecordBatchBuilder baseOffset(long baseOffset) {
        this.baseOffset = baseOffset;
        return this;
    }

    public RecordBatchBuilder partitionLeaderEpoch(int epoch) {
        this.partitionLeaderEpoch = epoch;
        return this;
    }

    public RecordBatchBuilder producer(long producerId, short producerEpoch, int baseSequence) {
        this.producerId = producerId;
        this.producerEpoch = producerEpoch;
        this.baseSequence = baseSequence;
        return this;
    }

    public RecordBatchBuilder transactional() {
        flags |= TRANSACTIONAL_BIT;
        return this;
    }

    public RecordBatchBuilder control() {
        flags |= CONTROL_BIT;
        return this;
    }

    /** Sets the time until which tombstones are kept, in the base timestamp. Must be called before the first record. */
    public RecordBatchBuilder deleteHorizon(long timestamp) {
        if (count > 0) {
            throw new IllegalStateException("the batch has records already");
        }
        flags |= DELETE_HORIZON_BIT;
        baseTimestamp = timestamp;
        return this;
    }

    /** Gives all records the broker's time. */
    public RecordBatchBuilder logAppendTime(long timestamp) {
        flags |= LOG_APPEND_TIME_BIT;
        logAppendTimestamp = timestamp;
        return this;
    }

    /** Copies the settings of a batch that is rebuilt from some of its records, except the codec. */
    public RecordBatchBuilder like(RecordBatch batch) {
        baseOffset(batch.baseOffset());
        partitionLeaderEpoch(batch.partitionLeaderEpoch());
        producer(batch.producerId(), batch.producerEpoch(), batch.baseSequence());
        flags = batch.attributes() & (TRANSACTIONAL_BIT | CONTROL_BIT | LOG_APPEND_TIME_BIT);
        logAppendTimestamp = batch.maxTimestamp();
        return this;
    }

    /** Appends with the next offset. */
    public RecordBatchBuilder append(
            long timestamp, @Nullable ByteBuf key, @Nullable ByteBuf value, List<RecordHeader> headers) {
        return append(lastOffsetDelta + 1, timestamp, key, value, headers);
    }

    /** Appends with the next offset. */
    public RecordBatchBuilder append(long timestamp, byte @Nullable [] key, byte @Nullable [] value) {
        return append(
                timestamp,
                key == null ? null : Unpooled.wrappedBuffer(key),
                value == null ? null : Unpooled.wrappedBuffer(value),
                List.of());
    }

    /** Appends at an offset that is larger than the last one. Gaps are allowed. */
    public RecordBatchBuilder append(
            int offsetDelta,
            long timestamp,
            @Nullable ByteBuf key,
            @Nullable ByteBuf value,
            List<RecordHeader> headers) {
        byte[][] names = new byte[headers.size()][];
        int headerBytes = Varints.sizeOf(headers.size());
        for (int i = 0; i < names.length; i++) {
            RecordHeader header = headers.get(i);
            names[i] = header.key().getBytes(StandardCharsets.UTF_8);
            headerBytes += fieldBytes(names[i].length) + fieldBytes(lengthOf(header.value()));
        }
        ByteBuf out = beginRecord(offsetDelta, timestamp, lengthOf(key), lengthOf(value), headerBytes);
        writeField(out, key);
        writeField(out, value);
        Varints.write(out, names.length);
        for (int i = 0; i < names.length; i++) {
            writeField(out, names[i]);
            writeField(out, headers.get(i).value());
        }
        return this;
    }

    /** Appends a record of another batch with its offset delta. Key, value and headers are copied unchanged. */
    public RecordBatchBuilder append(RecordView record) {
        int headerBytes = record.endIndex - record.headersIndex;
        ByteBuf out = beginRecord(
                record.offsetDelta(),
                record.timestamp(),
                record.keyLength(),
                record.valueLength(),
                Varints.sizeOf(record.headerCount()) + headerBytes);
        writeField(out, record.buffer(), record.keyIndex(), record.keyLength());
        writeField(out, record.buffer(), record.valueIndex(), record.valueLength());
        Varints.write(out, record.headerCount());
        out.writeBytes(record.buffer(), record.headersIndex, headerBytes);
        return this;
    }

    public int recordCount() {
        return count;
    }

    /** The size of the batch so far, uncompressed. */
    public int uncompressedSizeInBytes() {
        return open().readableBytes();
    }

    /** Sets the last offset of the batch, which may be greater than that of its last record. */
    public RecordBatchBuilder lastOffsetDelta(int delta) {
        if (delta < lastOffsetDelta) {
            throw new IllegalArgumentException(
                    "a batch with offset delta " + lastOffsetDelta + " cannot end at " + delta);
        }
        lastOffsetDelta = delta;
        return this;
    }

    /**
     * Ends the batch, which the caller releases.
     *
     * @throws InvalidBatchException if the codec's library can't be loaded
     */
    public ByteBuf build() {
        ByteBuf batch = open();
        if (codec != Codec.NONE) {
            batch = allocator.heapBuffer(batch.readableBytes()).writeZero(HEADER_BYTES);
            try {
                codec.compress(open().skipBytes(HEADER_BYTES), batch, level);
            } catch (CodecException e) {
                batch.release();
                throw RecordInput.refusal(e);
            } catch (RuntimeException | Error e) {
                batch.release();
                throw e;
            }
            open().release();
        }
        staged = null;
        writeHeader(batch);
        return batch;
    }

    @Override
    public void close() {
        ByteBuf givenUp = staged;
        staged = null;
        if (givenUp != null) {
            givenUp.release();
        }
    }

    /** Writes the fields before the key. */
    private ByteBuf beginRecord(int offsetDelta, long timestamp, int keyLength, int valueLength, int headerBytes) {
        if (offsetDelta <= lastOffsetDelta) {
            throw new IllegalArgumentException("offset delta " + offsetDelta + " after " + lastOffsetDelta);
        }
        if (count == 0 && (flags & DELETE_HORIZON_BIT) == 0) {
            baseTimestamp = timestamp;
        }
        long timestampDelta = timestamp - baseTimestamp;
        int body = Byte.BYTES
                + Varints.sizeOf(timestampDelta)
                + Varints.sizeOf(offsetDelta)
                + fieldBytes(keyLength)
                + fieldBytes(valueLength)
                + headerBytes;
        ByteBuf out = open();
        Varints.write(out, body);
        out.writeByte(0);
        Varints.write(out, timestampDelta);
        Varints.write(out, offsetDelta);
        count++;
        lastOffsetDelta = offsetDelta;
        maxTimestamp = Math.max(maxTimestamp, timestamp);
        return out;
    }

    private void writeHeader(ByteBuf batch) {
        boolean logAppendTime = (flags & LOG_APPEND_TIME_BIT) != 0;
        int end = batch.writerIndex();
        batch.writerIndex(0)
                .writeLong(baseOffset)
                .writeInt(end - LENGTH_OVERHEAD_BYTES)
                .writeInt(partitionLeaderEpoch)
                .writeByte(CURRENT_MAGIC)
                .writeInt(0)
                .writeShort(flags | codec.id())
                .writeInt(lastOffsetDelta)
                .writeLong(baseTimestamp)
                .writeLong(logAppendTime ? logAppendTimestamp : maxTimestamp)
                .writeLong(producerId)
                .writeShort(producerEpoch)
                .writeInt(baseSequence)
                .writeInt(count)
                .writerIndex(end);
        new RecordBatch().wrap(batch, 0, end).stampCrc();
    }

    private ByteBuf open() {
        ByteBuf records = staged;
        if (records == null) {
            throw new IllegalStateException("the batch is built or closed");
        }
        return records;
    }

    private static int lengthOf(@Nullable ByteBuf bytes) {
        return bytes == null ? RecordView.NULL_LENGTH : bytes.readableBytes();
    }

    private static int lengthOf(byte @Nullable [] bytes) {
        return bytes == null ? RecordView.NULL_LENGTH : bytes.length;
    }

    private static int fieldBytes(int length) {
        return Varints.sizeOf(length) + Math.max(length, 0);
    }

    private static void writeField(ByteBuf out, @Nullable ByteBuf bytes) {
        if (bytes == null) {
            Varints.write(out, RecordView.NULL_LENGTH);
        } else {
            writeField(out, bytes, bytes.readerIndex(), bytes.readableBytes());
        }
    }

    private static void writeField(ByteBuf out, ByteBuf bytes, int index, int length) {
        Varints.write(out, length);
        if (length > 0) {
            out.writeBytes(bytes, index, length);
        }
    }

    private static void writeField(ByteBuf out, byte @Nullable [] bytes) {
        Varints.write(out, lengthOf(bytes));
        if (bytes != null) {
            out.writeBytes(bytes);
        }
    }
}
