package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.InvalidBatchException.Reason;
import io.rivulet.protocol.record.codec.Codec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordsCheckTest {
    private static final int MIB = 1 << 20;
    private static final int LIMIT = MIB;

    private final RecordsCheck check = new RecordsCheck(LIMIT);

    @AfterEach
    void close() {
        check.close();
    }

    @ParameterizedTest
    @EnumSource
    void soundBatchesPassOneAfterTheOther(Codec codec) {
        for (int round = 0; round < 3; round++) {
            ByteBuf batch = Sample.batch(codec, Sample.ofEachKind(round));
            assertThat(verdict(batch, false)).isNull();
            assertThat(check.maxTimestamp()).isEqualTo(1_700_000_000_009L);
            assertThat(check.offsetOfMaxTimestamp()).isEqualTo(3);
            assertThat(batch.release()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRecordWithoutAKeyIsRefusedWhereKeysAreRequired(Codec codec) {
        ByteBuf batch = Sample.batch(codec, Sample.ofEachKind(0));
        assertThat(verdict(batch, true)).isEqualTo(Reason.NO_KEY);
        batch.release();
    }

    @ParameterizedTest
    @EnumSource
    void offsetDeltasCountUpFromZero(Codec codec) {
        ByteBuf batch;
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            batch = builder.compression(codec)
                    .append(0, 1, null, null, List.of())
                    .append(2, 1, null, null, List.of())
                    .build();
        }
        assertThat(verdict(batch, false)).isEqualTo(Reason.INVALID_RECORD);
        batch.release();
    }

    @ParameterizedTest
    @EnumSource
    void recordsAreAsManyAsTheHeaderSays(Codec codec) {
        for (int count : new int[] {6, 8}) {
            ByteBuf batch = Sample.batch(codec, Sample.ofEachKind(0));
            batch.setInt(RecordBatchLayout.RECORD_COUNT, count);
            assertThat(verdict(batch, false)).as("%d for 7", count).isEqualTo(Reason.INVALID_RECORD);
            batch.release();
        }
    }

    @Test
    void everyLengthInsideARecordMustHold() {
        // Given the one-byte fields of a record: length, attributes, deltas, key length, key, value length, value,
        // headers
        byte[] sound = {26, 0, 0, 0, 2, 'k', 4, 'v', 'v', 2, 2, 'h', 2, 'x'};
        assertThat(verdictOnRecord(sound)).isNull();
        for (int i : new int[] {0, 4, 6, 9, 10, 12}) {
            for (int value = 0; value < 128; value++) {
                byte[] record = sound.clone();
                record[i] = (byte) value;
                boolean nullHeaderValue = i == 12 && value == 1;
                if (value == sound[i] || nullHeaderValue) {
                    continue;
                }
                // When, Then
                assertThat(verdictOnRecord(record))
                        .as("byte %d is %d", i, value)
                        .isEqualTo(Reason.INVALID_RECORD);
            }
        }
    }

    @Test
    void aVarintThatDoesNotEndIsRefused() {
        byte[] endless = new byte[40];
        Arrays.fill(endless, (byte) 0x80);
        assertThat(verdictOnRecord(endless)).isEqualTo(Reason.INVALID_RECORD);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aBatchThatDecompressesToMoreThanTheLimitIsRefusedForLessThanAMebibyte(Codec codec) {
        // Given 10 MB of records, in 10 KB to 500 KB
        List<Sample> samples = IntStream.range(0, 100)
                .mapToObj(i -> new Sample(i, 1, null, "00".repeat(100_000), List.of()))
                .toList();
        ByteBuf batch = unwatched(Sample.batch(codec, samples));
        RecordBatch flyweight = Sample.flyweight(batch);

        // When
        long allocated = Allocations.bytesOf(() -> {
            try (RecordsCheck own = new RecordsCheck(LIMIT)) {
                assertThatThrownBy(() -> own.check(flyweight, false))
                        .extracting(e -> ((InvalidBatchException) e).reason())
                        .isEqualTo(Reason.BATCH_TOO_LARGE);
            }
        });

        // Then
        assertThat(allocated).isLessThan(MIB);
        assertThat(batch.release()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "SNAPPY"})
    void alsoAHugeRecordCostsNoMoreThanASmallBuffer(Codec codec) {
        // Given one record of 50 MB, within the limit
        ByteBuf batch = unwatched(Sample.batchOfOne(codec, new byte[50 * MIB]));
        RecordBatch flyweight = Sample.flyweight(batch);

        // When
        long allocated = Allocations.bytesOf(() -> {
            try (RecordsCheck own = new RecordsCheck(60 * MIB)) {
                own.check(flyweight, false);
            }
        });

        // Then
        assertThat(allocated).isLessThan(MIB);
        batch.release();
    }

    @Test
    void aRecordThatOnlyClaimsToBeHugeCostsNothing() {
        // Given a record of 1 GiB of which 20 bytes are there
        ByteBuf records = Unpooled.buffer();
        Varints.write(records, 1 << 30);
        records.writeZero(20);
        for (Codec codec : List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD)) {
            ByteBuf batch = unwatched(Sample.batchAround(codec, compressed(codec, records), 1));
            RecordBatch flyweight = Sample.flyweight(batch);

            // When
            long allocated = Allocations.bytesOf(() -> {
                try (RecordCursor cursor = new RecordCursor()) {
                    cursor.begin(flyweight, Integer.MAX_VALUE);
                    assertThatThrownBy(cursor::next).isInstanceOf(InvalidBatchException.class);
                }
            });

            // Then
            assertThat(allocated).as(codec.configName()).isLessThan(MIB);
            batch.release();
        }
    }

    @Test
    void whatTheCodecRefusesIsCorrupt() {
        for (Codec codec : List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD)) {
            ByteBuf batch =
                    Sample.batchAround(codec, "not compressed".getBytes(java.nio.charset.StandardCharsets.UTF_8), 1);
            assertThat(verdict(batch, false)).as(codec.configName()).isEqualTo(Reason.CORRUPT);
            assertThat(batch.release()).isTrue();
        }
    }

    @Test
    void linkedBlocksAreRefusedBecauseKafkaCannotReadThem() {
        // Given
        byte[] frame = compressed(Codec.LZ4, Unpooled.wrappedBuffer(new byte[] {12, 0, 0, 0, 1, 1, 0}));
        frame[4] &= ~0x20;
        frame[6] =
                (byte) (net.jpountz.xxhash.XXHashFactory.safeInstance().hash32().hash(frame, 4, 2, 0) >> 8);
        ByteBuf batch = Sample.batchAround(Codec.LZ4, frame, 1);

        // When, Then
        assertThat(verdict(batch, false)).isEqualTo(Reason.UNSUPPORTED_COMPRESSION);
        assertThat(Sample.read(Sample.flyweight(batch))).hasSize(1);
        assertThatThrownBy(() -> Kafka.samples(Kafka.read(batch))).hasStackTraceContaining("Dependent block");
        batch.release();
    }

    private @Nullable Reason verdictOnRecord(byte[] record) {
        ByteBuf batch = Sample.batchAround(Codec.NONE, record, 1);
        ByteBuf compressed = Sample.batchAround(Codec.ZSTD, compressed(Codec.ZSTD, Unpooled.wrappedBuffer(record)), 1);
        try {
            Reason reason = verdict(batch, false);
            assertThat(verdict(compressed, false) == null).isEqualTo(reason == null);
            return reason;
        } finally {
            batch.release();
            compressed.release();
        }
    }

    private @Nullable Reason verdict(ByteBuf batch, boolean keysRequired) {
        try {
            check.check(Sample.flyweight(batch), keysRequired);
            return null;
        } catch (InvalidBatchException e) {
            return e.reason();
        }
    }

    private static ByteBuf unwatched(ByteBuf built) {
        ByteBuf batch = Allocations.unwatched(built);
        built.release();
        return batch;
    }

    private static byte[] compressed(Codec codec, ByteBuf bytes) {
        ByteBuf target = Unpooled.buffer();
        codec.compress(bytes, target, codec.defaultLevel());
        return Arrays.copyOf(target.array(), target.readableBytes());
    }
}
