package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.rivulet.protocol.record.codec.Codec;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kafka's own classes and ours read each other's batches and compare all fields. */
class KafkaCompatibilityTest {
    private static final long BASE_OFFSET = 41;
    private static final List<Sample> SAMPLES = Sample.ofEachKind(BASE_OFFSET);

    @ParameterizedTest
    @EnumSource
    void whatKafkaBuildsIsReadFieldForField(Codec codec) {
        // Given
        ByteBuf bytes = builtByKafka(codec);
        MutableRecordBatch theirs = Kafka.read(bytes);

        // When
        RecordBatch ours = Sample.flyweight(bytes);

        // Then
        assertSameHeader(ours, theirs);
        assertThat(ours.isCrcValid()).isTrue();
        assertThat(Sample.read(ours)).isEqualTo(SAMPLES).isEqualTo(Kafka.samples(theirs));
    }

    @ParameterizedTest
    @EnumSource
    void whatRivuletBuildsIsReadByKafkaFieldForField(Codec codec) {
        // Given
        ByteBuf bytes = builtByRivulet(codec);

        // When
        MutableRecordBatch theirs = Kafka.read(bytes);

        // Then
        assertSameHeader(Sample.flyweight(bytes), theirs);
        assertThat(Kafka.samples(theirs)).isEqualTo(SAMPLES);
        assertThat(bytes.release()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void everyLevelOfACodecIsReadByKafka(Codec codec) {
        for (int level = -20; level <= 22; level++) {
            if (!codec.allowsLevel(level)) {
                continue;
            }
            // Given
            ByteBuf bytes;
            try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
                builder.compression(codec, level).baseOffset(BASE_OFFSET);
                bytes = Sample.append(builder, SAMPLES).build();
            }
            // When, Then
            assertThat(Kafka.samples(Kafka.read(bytes))).as("level %d", level).isEqualTo(SAMPLES);
            bytes.release();
        }
    }

    @Test
    void anUncompressedBatchIsTheSameByteForByte() {
        // Given
        ByteBuf theirs = builtByKafka(Codec.NONE);

        // When
        ByteBuf ours = builtByRivulet(Codec.NONE);

        // Then
        assertThat(ByteBufUtil.hexDump(ours)).isEqualTo(ByteBufUtil.hexDump(theirs));
        ours.release();
    }

    @Test
    void aBatchOfAnOrdinaryProducerIsTheSameByteForByte() {
        // Given
        ByteBuf theirs = Kafka.bytesOf(MemoryRecords.withRecords(
                Kafka.compression(Codec.NONE),
                new org.apache.kafka.common.record.internal.SimpleRecord(5, new byte[] {1}, new byte[] {2})));

        // When
        ByteBuf ours;
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            ours = builder.append(5, new byte[] {1}, new byte[] {2}).build();
        }

        // Then
        assertThat(ByteBufUtil.hexDump(ours)).isEqualTo(ByteBufUtil.hexDump(theirs));
        ours.release();
    }

    @ParameterizedTest
    @EnumSource
    void aMarkerIsTheSameByteForByte(ControlMarker marker) {
        // Given
        ControlRecordType type = ControlRecordType.valueOf(marker.name());
        ByteBuf theirs = Kafka.bytesOf(MemoryRecords.withEndTransactionMarker(
                77, 1_234, -1, 9_000, (short) 3, new EndTransactionMarker(type, 12)));

        // When
        ByteBuf ours = RecordBatchBuilder.marker(ByteBufAllocator.DEFAULT, marker, 77, 1_234, 9_000, (short) 3, 12);

        // Then
        assertThat(ByteBufUtil.hexDump(ours)).isEqualTo(ByteBufUtil.hexDump(theirs));
        ours.release();
    }

    @ParameterizedTest
    @EnumSource
    void aMarkerOfKafkaIsUnderstood(ControlMarker marker) {
        // Given
        ControlRecordType type = ControlRecordType.valueOf(marker.name());
        RecordBatch batch = Sample.flyweight(Kafka.bytesOf(
                MemoryRecords.withEndTransactionMarker(9_000, (short) 3, new EndTransactionMarker(type, 12))));

        // When
        try (RecordCursor cursor = new RecordCursor()) {
            cursor.begin(batch, Sample.NO_LIMIT);
            cursor.next();

            // Then
            assertThat(batch.isControl()).isTrue();
            assertThat(batch.isTransactional()).isTrue();
            assertThat(ControlMarker.of(cursor.record())).isEqualTo(marker);
            assertThat(ControlMarker.coordinatorEpoch(cursor.record())).isEqualTo(12);
            assertThat(cursor.next()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void logAppendTimeHoldsForAllRecords(Codec codec) {
        // Given
        ByteBuf bytes;
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            bytes = Sample.append(builder.compression(codec).logAppendTime(99), SAMPLES)
                    .build();
        }

        // When
        MutableRecordBatch theirs = Kafka.read(bytes);

        // Then
        assertThat(theirs.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(Kafka.samples(theirs)).isEqualTo(Sample.read(Sample.flyweight(bytes)));
        assertThat(Kafka.samples(theirs)).allMatch(sample -> sample.timestamp() == 99);
        bytes.release();
    }

    @Test
    void sequencesWrapAroundAsInKafka() {
        // Given
        ByteBuf bytes;
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            builder.producer(1, (short) 0, Integer.MAX_VALUE - 1);
            bytes = Sample.append(builder, SAMPLES.subList(0, 5)).build();
        }

        // When
        int lastSequence = Sample.flyweight(bytes).lastSequence();

        // Then
        assertThat(lastSequence).isEqualTo(Kafka.read(bytes).lastSequence()).isEqualTo(2);
        bytes.release();
    }

    private static void assertSameHeader(RecordBatch ours, MutableRecordBatch theirs) {
        assertThat(ours.sizeInBytes()).isEqualTo(theirs.sizeInBytes());
        assertThat(ours.magic()).isEqualTo(theirs.magic());
        assertThat(ours.baseOffset()).isEqualTo(theirs.baseOffset());
        assertThat(ours.lastOffset()).isEqualTo(theirs.lastOffset());
        assertThat(ours.partitionLeaderEpoch()).isEqualTo(theirs.partitionLeaderEpoch());
        assertThat(Integer.toUnsignedLong(ours.crc())).isEqualTo(theirs.checksum());
        assertThat(ours.codec()).extracting(Codec::configName).isEqualTo(theirs.compressionType().name);
        assertThat(ours.isCompressed()).isEqualTo(theirs.isCompressed());
        assertThat(ours.timestampType().name()).isEqualTo(theirs.timestampType().name());
        assertThat(ours.isTransactional()).isEqualTo(theirs.isTransactional());
        assertThat(ours.isControl()).isEqualTo(theirs.isControlBatch());
        assertThat(ours.hasDeleteHorizon()).isEqualTo(theirs.deleteHorizonMs().isPresent());
        assertThat(ours.maxTimestamp()).isEqualTo(theirs.maxTimestamp());
        assertThat(ours.hasProducerId()).isEqualTo(theirs.hasProducerId());
        assertThat(ours.producerId()).isEqualTo(theirs.producerId());
        assertThat(ours.producerEpoch()).isEqualTo(theirs.producerEpoch());
        assertThat(ours.baseSequence()).isEqualTo(theirs.baseSequence());
        assertThat(ours.lastSequence()).isEqualTo(theirs.lastSequence());
        assertThat(ours.recordCount()).isEqualTo(theirs.countOrNull());
    }

    private static ByteBuf builtByKafka(Codec codec) {
        MemoryRecordsBuilder builder = MemoryRecords.builder(
                ByteBuffer.allocate(1 << 20),
                (byte) 2,
                Kafka.compression(codec),
                TimestampType.CREATE_TIME,
                BASE_OFFSET,
                -1,
                4_711,
                (short) 5,
                600,
                true,
                3);
        for (Sample sample : SAMPLES) {
            builder.append(
                    sample.timestamp(),
                    Sample.bytes(sample.key()),
                    Sample.bytes(sample.value()),
                    Kafka.headers(sample));
        }
        return Kafka.bytesOf(builder.build());
    }

    private static ByteBuf builtByRivulet(Codec codec) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            builder.compression(codec)
                    .baseOffset(BASE_OFFSET)
                    .partitionLeaderEpoch(3)
                    .producer(4_711, (short) 5, 600)
                    .transactional();
            return Sample.append(builder, SAMPLES).build();
        }
    }
}
