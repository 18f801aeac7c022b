package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.codec.Codec;
import java.util.List;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordBatchBuilderTest {
    @ParameterizedTest
    @EnumSource
    void aBatchBuiltAnewFromSomeOfItsRecordsKeepsTheirOffsets(Codec codec) {
        // Given
        List<Sample> samples = Sample.ofEachKind(0);
        ByteBuf original;
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            builder.compression(codec).producer(8, (short) 1, 50).transactional();
            original = Sample.append(builder, samples).build();
        }
        RecordBatch batch = Sample.flyweight(original);

        // When every second record is left out, and so is the last
        ByteBuf compacted;
        try (RecordCursor cursor = new RecordCursor();
                RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            builder.like(batch).compression(codec);
            cursor.begin(batch, Sample.NO_LIMIT);
            while (cursor.next()) {
                if (cursor.record().offsetDelta() % 2 == 0 && cursor.record().offsetDelta() < 6) {
                    builder.append(cursor.record());
                }
            }
            compacted = builder.lastOffsetDelta(batch.lastOffsetDelta()).build();
        }

        // Then
        MutableRecordBatch theirs = Kafka.read(compacted);
        assertThat(Kafka.samples(theirs)).containsExactly(samples.get(0), samples.get(2), samples.get(4));
        assertThat(theirs.lastOffset()).isEqualTo(6);
        assertThat(theirs.producerId()).isEqualTo(8);
        assertThat(theirs.lastSequence()).isEqualTo(56);
        assertThat(theirs.isTransactional()).isTrue();
        assertThat(Sample.read(Sample.flyweight(compacted))).isEqualTo(Kafka.samples(theirs));
        original.release();
        compacted.release();
    }

    @Test
    void aBatchMayBeEmptyAndStillCoverOffsets() {
        ByteBuf bytes;
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            bytes = builder.baseOffset(5).lastOffsetDelta(9).build();
        }
        assertThat(Kafka.read(bytes).lastOffset()).isEqualTo(14);
        assertThat(Kafka.read(bytes).countOrNull()).isZero();
        bytes.release();
    }

    @Test
    void offsetsOnlyGoUp() {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            builder.append(3, 1, null, null, List.of());
            assertThatThrownBy(() -> builder.append(3, 1, null, null, List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> builder.lastOffsetDelta(2)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void noBufferLeaksInAnyCase() {
        // Given
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);

        // When one is closed, one cannot be compressed, and one is built
        try (RecordBatchBuilder builder = new RecordBatchBuilder(allocator)) {
            builder.append(1, null, new byte[100]);
        }
        try (RecordBatchBuilder builder = new RecordBatchBuilder(allocator)) {
            builder.compression(Codec.LZ4, 99).append(1, null, new byte[100]);
            assertThatThrownBy(builder::build).hasMessageContaining("lz4 has no level 99");
        }
        try (RecordBatchBuilder builder = new RecordBatchBuilder(allocator)) {
            ByteBuf batch = builder.compression(Codec.ZSTD)
                    .append(1, null, new byte[100])
                    .build();
            assertThat(batch.release()).isTrue();
            assertThatThrownBy(() -> builder.append(1, null, new byte[1])).isInstanceOf(IllegalStateException.class);
        }

        // Then
        assertThat(allocator.metric().usedHeapMemory()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }
}
