package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.InvalidBatchException.Reason;
import io.rivulet.protocol.record.codec.Codec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchValidatorTest {
    private static final BatchLimits LIMITS = new BatchLimits(1 << 20, 3);

    private final ByteBuf batch = Sample.smallBatch();

    @AfterEach
    void theValidatorHoldsNoReferenceToTheBuffer() {
        assertThat(batch.refCnt()).isEqualTo(1);
        batch.release();
    }

    @Test
    void consecutiveBatchesAreWalkedOverInOrder() {
        // Given three batches between other bytes
        ByteBuf slice = Unpooled.buffer().writeZero(5);
        for (int i = 0; i < 3; i++) {
            slice.writeBytes(batch, 0, batch.readableBytes());
            new RecordBatch()
                    .wrap(slice, slice.writerIndex() - batch.readableBytes(), batch.readableBytes())
                    .stampBaseOffset(100 + i);
        }
        int length = slice.writerIndex() - 5;
        slice.writeZero(9);

        // When
        BatchValidator validator = new BatchValidator(LIMITS);
        validator.begin(slice, 5, length);
        List<Long> offsets = new ArrayList<>();
        while (validator.next()) {
            offsets.add(validator.batch().baseOffset());
        }

        // Then
        assertThat(offsets).containsExactly(100L, 101L, 102L);
    }

    @Test
    void moreBatchesThanTheLimitAreRefused() {
        ByteBuf four = Unpooled.buffer();
        for (int i = 0; i < 4; i++) {
            four.writeBytes(batch, 0, batch.readableBytes());
        }
        assertThat(reasonFor(four)).isEqualTo(Reason.TOO_MANY_BATCHES);
    }

    @Test
    void noBytesAreNoBatchAndNoError() {
        assertThat(reasonFor(Unpooled.EMPTY_BUFFER)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void whatKafkaBuildsIsLetThrough(Codec codec) {
        ByteBuf theirs = Kafka.bytesOf(
                MemoryRecords.withRecords(Kafka.compression(codec), new SimpleRecord(1, new byte[] {1}, new byte[9])));
        assertThat(reasonFor(theirs)).isNull();
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 1})
    void anOldMessageSetIsRecognised(byte magic) {
        ByteBuf old = Kafka.bytesOf(MemoryRecords.withRecords(
                magic, 0, Compression.NONE, TimestampType.CREATE_TIME, new SimpleRecord(1, null, new byte[0])));
        assertThat(reasonFor(old)).isEqualTo(Reason.OLD_MAGIC);
    }

    @ParameterizedTest
    @ValueSource(bytes = {-1, 3, 127})
    void aMagicOfTheFutureIsRefused(byte magic) {
        batch.setByte(RecordBatchLayout.MAGIC, magic);
        assertThat(reasonFor(batch)).isEqualTo(Reason.UNKNOWN_MAGIC);
    }

    @Test
    void everyPrefixOfABatchIsCorrupt() {
        for (int length = 1; length < batch.readableBytes(); length++) {
            assertThat(reasonFor(batch.slice(0, length))).as("%d bytes", length).isEqualTo(Reason.CORRUPT);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 48})
    void aLengthBelowTheHeaderIsCorrupt(int length) {
        batch.setInt(RecordBatchLayout.LENGTH, length);
        assertThat(reasonFor(batch)).isEqualTo(Reason.CORRUPT);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, 1 << 20})
    void aLengthAboveTheLimitIsTooLargeEvenIfTheBytesAreNotThere(int length) {
        batch.setInt(RecordBatchLayout.LENGTH, length);
        assertThat(reasonFor(batch)).isEqualTo(Reason.BATCH_TOO_LARGE);
    }

    @Test
    void everyBitThatTheCrcCoversAndTheCrcItselfAreChecked() {
        for (int bit = RecordBatchLayout.CRC * 8; bit < batch.readableBytes() * 8; bit++) {
            batch.setByte(bit / 8, batch.getByte(bit / 8) ^ (1 << (bit % 8)));
            assertThat(reasonFor(batch)).as("bit %d", bit).isEqualTo(Reason.CORRUPT);
            batch.setByte(bit / 8, batch.getByte(bit / 8) ^ (1 << (bit % 8)));
        }
        assertThat(reasonFor(batch)).isNull();
    }

    @Test
    void countAndLastOffsetDeltaMustAgree() {
        assertThat(reasonAfter(b -> b.setInt(RecordBatchLayout.RECORD_COUNT, 4)))
                .isEqualTo(Reason.INVALID_RECORD);
        assertThat(reasonAfter(b -> b.setInt(RecordBatchLayout.LAST_OFFSET_DELTA, 5)))
                .isEqualTo(Reason.INVALID_RECORD);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 1_000_000, Integer.MAX_VALUE})
    void aCountThatCannotBeIsRefused(int count) {
        assertThat(reasonAfter(b -> b.setInt(RecordBatchLayout.RECORD_COUNT, count)
                        .setInt(RecordBatchLayout.LAST_OFFSET_DELTA, count - 1)))
                .isEqualTo(Reason.INVALID_RECORD);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7})
    void aCodecThatNobodyKnowsIsRefused(int codec) {
        assertThat(reasonAfter(b -> b.setShort(RecordBatchLayout.ATTRIBUTES, codec)))
                .isEqualTo(Reason.UNSUPPORTED_COMPRESSION);
    }

    @Test
    void valuesThatOnlyTheBrokerSetsAreRefused() {
        assertThat(reasonAfter(b -> b.setShort(RecordBatchLayout.ATTRIBUTES, RecordBatchLayout.CONTROL_BIT)))
                .isEqualTo(Reason.INVALID_RECORD);
        assertThat(reasonAfter(b -> b.setShort(RecordBatchLayout.ATTRIBUTES, RecordBatchLayout.LOG_APPEND_TIME_BIT)))
                .isEqualTo(Reason.INVALID_TIMESTAMP);
    }

    @Test
    void aProducerIdComesWithEpochAndSequence() {
        assertThat(reasonAfter(producer(5, 0, 0))).isNull();
        assertThat(reasonAfter(producer(5, -1, 0))).isEqualTo(Reason.INVALID_RECORD);
        assertThat(reasonAfter(producer(5, 0, -1))).isEqualTo(Reason.INVALID_RECORD);
        assertThat(reasonAfter(producer(-2, 0, 0))).isEqualTo(Reason.INVALID_RECORD);
    }

    @Test
    void aTransactionHasAProducer() {
        assertThat(reasonAfter(b -> b.setShort(RecordBatchLayout.ATTRIBUTES, RecordBatchLayout.TRANSACTIONAL_BIT)))
                .isEqualTo(Reason.INVALID_RECORD);
    }

    @Test
    void aRefusalCarriesNoStackTrace() {
        batch.setByte(RecordBatchLayout.MAGIC, 9);
        InvalidBatchException refused =
                catchThrowableOfType(InvalidBatchException.class, () -> walk(new BatchValidator(LIMITS), batch));
        assertThat(refused.getStackTrace()).isEmpty();
    }

    @Test
    void everyKindOfBufferIsChecked() {
        for (ByteBuf copy : copies()) {
            assertThat(reasonFor(copy)).isNull();
            copy.setByte(copy.readerIndex() + 70, 99);
            assertThat(reasonFor(copy)).isEqualTo(Reason.CORRUPT);
            assertThat(copy.refCnt()).isEqualTo(1);
            copy.release();
        }
    }

    @Test
    void theCheckAllocatesNothingOnHeapAndDirectBuffers() {
        BatchValidator validator = new BatchValidator(LIMITS);
        for (ByteBuf copy : List.of(Unpooled.copiedBuffer(batch), Allocations.unwatched(batch))) {
            // When
            long allocated = Allocations.bytesOfSecondRun(() -> {
                for (int i = 0; i < 10_000; i++) {
                    walk(validator, copy);
                }
            });

            // Then
            assertThat(allocated).as(copy.toString()).isLessThan(1_000);
            copy.release();
        }
    }

    private List<ByteBuf> copies() {
        int length = batch.readableBytes();
        ByteBuf padded = Unpooled.directBuffer().writeZero(3).writeBytes(batch, 0, length);
        ByteBuf composite = Unpooled.wrappedBuffer(
                Unpooled.copiedBuffer(batch.slice(0, 65)),
                Unpooled.directBuffer().writeBytes(batch, 65, 10),
                Unpooled.copiedBuffer(batch.slice(75, length - 75)));
        ByteBuf readOnlyNio =
                Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(length).put(0, toArray()));
        return List.of(
                Unpooled.copiedBuffer(batch),
                Unpooled.directBuffer().writeBytes(batch, 0, length),
                PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(batch, 0, length),
                PooledByteBufAllocator.DEFAULT.heapBuffer().writeBytes(batch, 0, length),
                padded.skipBytes(3),
                composite,
                readOnlyNio);
    }

    private byte[] toArray() {
        byte[] bytes = new byte[batch.readableBytes()];
        batch.getBytes(0, bytes);
        return bytes;
    }

    private static Consumer<ByteBuf> producer(long id, int epoch, int sequence) {
        return b -> b.setLong(RecordBatchLayout.PRODUCER_ID, id)
                .setShort(RecordBatchLayout.PRODUCER_EPOCH, epoch)
                .setInt(RecordBatchLayout.BASE_SEQUENCE, sequence);
    }

    /** The verdict on a changed batch with a correct CRC. */
    private @Nullable Reason reasonAfter(Consumer<ByteBuf> change) {
        change.accept(batch);
        Sample.flyweight(batch).stampCrc();
        return reasonFor(batch);
    }

    private static @Nullable Reason reasonFor(ByteBuf bytes) {
        try {
            walk(new BatchValidator(LIMITS), bytes);
            return null;
        } catch (InvalidBatchException e) {
            return e.reason();
        }
    }

    private static void walk(BatchValidator validator, ByteBuf bytes) {
        validator.begin(bytes, bytes.readerIndex(), bytes.readableBytes());
        while (validator.next()) {
            require(validator.batch().recordCount() > 0);
        }
    }

    /** Asserts without allocation. */
    private static void require(boolean holds) {
        if (!holds) {
            throw new AssertionError();
        }
    }
}
