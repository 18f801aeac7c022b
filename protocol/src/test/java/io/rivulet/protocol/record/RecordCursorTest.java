package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordCursorTest {
    @ParameterizedTest
    @EnumSource
    void recordsOfAllSizesComeOutWhole(Codec codec) {
        // Given sizes around and far above the buffer's
        List<Sample> samples = new ArrayList<>();
        Random random = new Random(11);
        int[] sizes = {0, 1, 8_150, 8_190, 8_192, 8_200, 3, 1_000_000, 5, 20_000, 70_000, 9, 9, 9};
        for (int size : sizes) {
            byte[] value = new byte[size];
            random.nextBytes(value);
            samples.add(new Sample(
                    samples.size(),
                    size,
                    Sample.hex("key" + size),
                    Sample.hex(value),
                    List.of(new Sample.Pair("size", Sample.hex("" + size)))));
        }
        ByteBuf batch = Sample.batch(codec, samples);

        // When
        List<Sample> read = Sample.read(Sample.flyweight(batch));

        // Then
        assertThat(read).isEqualTo(samples);
        assertThat(batch.release()).isTrue();
    }

    @Test
    void oneCursorReadsBatchesOfAllCodecsAndDoesNotChangeTheirBuffers() {
        try (RecordCursor cursor = new RecordCursor()) {
            for (int round = 0; round < 2; round++) {
                for (Codec codec : Codec.values()) {
                    // Given a batch in the middle of a buffer in pieces outside the heap
                    ByteBuf batch = Sample.batch(codec, Sample.ofEachKind(0));
                    int length = batch.readableBytes();
                    CompositeByteBuf buffer = PooledByteBufAllocator.DEFAULT.compositeDirectBuffer();
                    buffer.addComponent(
                            true, PooledByteBufAllocator.DEFAULT.directBuffer().writeZero(7));
                    buffer.addComponent(true, direct(batch, 0, 70));
                    buffer.addComponent(true, direct(batch, 70, length - 70));

                    // When
                    List<Sample> read = Sample.read(cursor, new RecordBatch().wrap(buffer, 7, length));

                    // Then
                    assertThat(read).isEqualTo(Sample.ofEachKind(0));
                    assertThat(buffer.readerIndex()).isZero();
                    assertThat(buffer.refCnt()).isEqualTo(1);
                    assertThat(buffer.release()).isTrue();
                    assertThat(batch.release()).isTrue();
                }
            }
        }
    }

    @Test
    void aWalkMayEndEarly() {
        try (RecordCursor cursor = new RecordCursor()) {
            for (Codec codec : Codec.values()) {
                ByteBuf batch = Sample.batch(codec, Sample.ofEachKind(0));
                cursor.begin(Sample.flyweight(batch), Sample.NO_LIMIT);
                assertThat(cursor.next()).isTrue();
                cursor.end();
                assertThat(cursor.next()).isFalse();
                assertThat(batch.release()).isTrue();
            }
        }
    }

    @Test
    void aWalkOverAnUncompressedBatchAllocatesNothing() {
        // Given
        ByteBuf built = Sample.batch(Codec.NONE, Sample.ofEachKind(0));
        ByteBuf heap = Unpooled.copiedBuffer(built);
        ByteBuf direct = Allocations.unwatched(built);
        built.release();
        try (RecordCursor cursor = new RecordCursor()) {
            for (ByteBuf batch : List.of(heap, direct)) {
                RecordBatch flyweight = Sample.flyweight(batch);
                long warm = sum(cursor, flyweight);

                // When
                long allocated = Allocations.bytesOfSecondRun(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        if (sum(cursor, flyweight) != warm) {
                            throw new AssertionError();
                        }
                    }
                });

                // Then
                assertThat(allocated).isLessThan(1_000);
                batch.release();
            }
        }
    }

    @Test
    void aCompressedBatchCostsAUsedCursorAlmostNothing() {
        for (Codec codec : List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD)) {
            // Given
            ByteBuf built = Sample.batch(codec, Sample.ofEachKind(0).subList(0, 5));
            ByteBuf batch = Allocations.unwatched(built);
            built.release();
            RecordBatch flyweight = Sample.flyweight(batch);
            try (RecordCursor cursor = new RecordCursor()) {
                sum(cursor, flyweight);

                // When
                long allocated = Allocations.bytesOf(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        sum(cursor, flyweight);
                    }
                });

                // Then
                assertThat(allocated / 1_000).as(codec.configName()).isLessThan(512);
            }
            batch.release();
        }
    }

    private static ByteBuf direct(ByteBuf source, int index, int length) {
        return PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(source, index, length);
    }

    private static long sum(RecordCursor cursor, RecordBatch batch) {
        long sum = 0;
        cursor.begin(batch, Sample.NO_LIMIT);
        while (cursor.next()) {
            RecordView record = cursor.record();
            sum += record.offset() + record.timestamp() + record.keyLength() + record.valueLength();
            for (RecordHeaders headers = record.headers(); headers.next(); ) {
                sum += headers.keyLength() + headers.valueLength();
            }
        }
        return sum;
    }
}
