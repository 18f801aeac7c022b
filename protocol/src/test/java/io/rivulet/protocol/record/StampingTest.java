package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.record.codec.Codec;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StampingTest {
    private final ByteBuf bytes = Sample.batch(Codec.LZ4, Sample.ofEachKind(0));
    private final RecordBatch batch = Sample.flyweight(bytes);

    @AfterEach
    void release() {
        assertThat(bytes.release()).isTrue();
    }

    @Test
    void theBaseOffsetIsStampedUnderTheSameCrc() {
        // Given
        int crc = batch.crc();

        // When
        batch.stampBaseOffset(1L << 40);

        // Then
        MutableRecordBatch theirs = Kafka.read(bytes);
        assertThat(batch.crc()).isEqualTo(crc);
        assertThat(theirs.baseOffset()).isEqualTo(1L << 40);
        assertThat(theirs.lastOffset()).isEqualTo((1L << 40) + 6);
        assertThat(Kafka.samples(theirs)).isEqualTo(Sample.ofEachKind(1L << 40));
    }

    @Test
    void logAppendTimeIsWhatKafkaStamps() {
        // Given
        MutableRecordBatch theirs = Kafka.read(bytes);
        theirs.setMaxTimestamp(org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME, 123_456);

        // When
        batch.stampMaxTimestamp(TimestampType.LOG_APPEND_TIME, 123_456);

        // Then
        assertThat(batch.isCrcValid()).isTrue();
        assertThat(Integer.toUnsignedLong(batch.crc())).isEqualTo(theirs.checksum());
        assertThat(Kafka.read(bytes)).isEqualTo(theirs);
        assertThat(Kafka.samples(Kafka.read(bytes))).allMatch(sample -> sample.timestamp() == 123_456);
    }

    @Test
    void createTimeCanBeStampedBack() {
        // Given
        ByteBuf before = bytes.copy();
        batch.stampMaxTimestamp(TimestampType.LOG_APPEND_TIME, 5);

        // When
        batch.stampMaxTimestamp(
                TimestampType.CREATE_TIME, Sample.flyweight(before).maxTimestamp());

        // Then
        assertThat(bytes).isEqualTo(before);
        before.release();
    }

    @Test
    void aStampThatChangesNothingDoesNotReadTheBatch() {
        // Given a wrong CRC, which a change would correct
        bytes.setInt(RecordBatchLayout.CRC, 0);

        // When
        batch.stampMaxTimestamp(TimestampType.CREATE_TIME, batch.maxTimestamp());

        // Then
        assertThat(batch.crc()).isZero();
    }
}
