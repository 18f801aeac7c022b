package io.rivulet.broker.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.ControlMarker;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.RecordView;
import io.rivulet.protocol.record.Slimmer;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.store.BatchFormat.KeyVisitor;
import io.rivulet.store.BatchFormat.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reduced batches are valid with every codec. */
final class RecordBatchFormatTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final int MIB = 1 << 20;

    @AutoClose
    private final RecordBatchFormat format = new RecordBatchFormat(queueId -> 42 + queueId, MIB, MIB);

    private static ByteBuffer batch(Codec codec, @Nullable String... keysAndValues) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.compression(codec).producer(7, (short) 1, 5);
            for (int i = 0; i < keysAndValues.length; i += 2) {
                builder.append(NOW + i, bytes(keysAndValues[i]), bytes(keysAndValues[i + 1]));
            }
            return copy(builder.build());
        }
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static ByteBuffer copy(ByteBuf built) {
        ByteBuffer copy = ByteBuffer.allocate(built.readableBytes());
        built.readBytes(copy).release();
        return copy.flip();
    }

    @SuppressWarnings("ReferenceEquality") // tests the identity
    private @Nullable ByteBuffer reduce(ByteBuffer batch, long now, Integer... dead) {
        ByteBuffer reduced = format.reduce(batch, delta -> !List.of(dead).contains(delta), now, 1_000);
        return reduced == null || reduced == batch
                ? reduced
                : ByteBuffer.allocate(reduced.remaining()).put(reduced).flip();
    }

    private static RecordBatch header(@Nullable ByteBuffer batch) {
        ByteBuffer there = Objects.requireNonNull(batch);
        return new RecordBatch().wrap(Unpooled.wrappedBuffer(there.duplicate()), 0, there.remaining());
    }

    private static List<String> read(@Nullable ByteBuffer batch) {
        RecordBatch header = header(batch);
        assertThat(header.isCrcValid()).isTrue();
        List<String> records = new ArrayList<>();
        try (RecordCursor cursor = new RecordCursor()) {
            cursor.begin(header, MIB);
            while (cursor.next()) {
                RecordView record = cursor.record();
                ByteBuf value = record.value();
                records.add(record.offset() + ":"
                        + Objects.requireNonNull(record.key()).toString(StandardCharsets.UTF_8) + "="
                        + (value == null ? "-" : value.toString(StandardCharsets.UTF_8)) + "@"
                        + (record.timestamp() - NOW));
            }
        }
        return records;
    }

    @ParameterizedTest
    @EnumSource
    void aReducedBatchIsValid(Codec codec) {
        ByteBuffer all = batch(codec, "a", "1", "b", "2", "a", "3", "c", "4");

        ByteBuffer left = Objects.requireNonNull(reduce(all, NOW, 0, 3));

        assertThat(read(left)).containsExactly("1:b=2@2", "2:a=3@4");
        RecordBatch header = header(left);
        assertThat(header.lastOffsetDelta()).isEqualTo(3);
        assertThat(header.recordCount()).isEqualTo(2);
        assertThat(header.baseSequence()).isEqualTo(5);
        assertThat(header.lastSequence()).isEqualTo(8);
        assertThat(header.codec()).isEqualTo(codec);
        assertThat(format.maxTimestamp(left)).isEqualTo(NOW + 4);
    }

    @Test
    void aBatchThatKeepsAllRecordsIsUnchangedAndOneThatKeepsNoneIsNull() {
        ByteBuffer all = batch(Codec.NONE, "a", "1", "b", "2");

        assertThat(reduce(all, NOW)).isSameAs(all);
        assertThat(reduce(all, NOW, 0, 1)).isNull();
    }

    @Test
    void recordsWithoutAKeyAreRemoved() {
        assertThat(read(reduce(batch(Codec.NONE, null, "1", "b", "2"), NOW))).containsExactly("1:b=2@2");
    }

    @ParameterizedTest
    @EnumSource
    void aTombstoneStaysUntilItsHorizon(Codec codec) {
        ByteBuffer met = Objects.requireNonNull(reduce(batch(codec, "a", null, "b", "2"), NOW));
        assertThat(read(met)).containsExactly("0:a=-@0", "1:b=2@2");
        assertThat(header(met).hasDeleteHorizon()).isTrue();
        assertThat(header(met).baseTimestamp()).isEqualTo(NOW + 1_000);

        assertThat(reduce(met, NOW + 1_000)).isSameAs(met);
        assertThat(read(reduce(met, NOW + 1_000, 1))).containsExactly("0:a=-@0");
        assertThat(read(reduce(met, NOW + 1_001))).containsExactly("1:b=2@2");
    }

    private static ByteBuffer slim(@Nullable String key) {
        ByteBuf batch = Unpooled.wrappedBuffer(batch(Codec.NONE, key, "value"));
        int at = new Slimmer().slim(new RecordBatch().wrap(batch, 0, batch.readableBytes()));
        assertThat(at).isPositive();
        // Part of a larger buffer, as the store passes it.
        return batch.nioBuffer().position(at);
    }

    @Test
    void aSlimBatchIsKeptUnchangedOrRemoved() {
        ByteBuffer keyed = slim("a");

        assertThat(format.kind(keyed)).isEqualTo(Kind.RECORDS);
        assertThat(format.producerId(keyed)).isEqualTo(7);
        assertThat(reduce(keyed, NOW)).isSameAs(keyed);
        assertThat(reduce(keyed, NOW, 0)).isNull();
        assertThat(reduce(slim(null), NOW)).isNull();
    }

    @Test
    void aSlimBatchHasTheFingerprintOfItsKey() {
        List<List<Long>> hashes = new ArrayList<>();
        KeyVisitor visitor = (delta, h1, h2) -> hashes.add(List.of((long) delta, h1, h2));
        for (String key : new String[] {"", "a", "long".repeat(50)}) {
            format.forEachKey(batch(Codec.NONE, key, "1"), visitor);
            format.forEachKey(slim(key), visitor);
            assertThat(hashes.get(1)).isEqualTo(hashes.get(0));
            hashes.clear();
        }
        format.forEachKey(slim(null), visitor);
        assertThat(hashes).isEmpty();
    }

    @Test
    void onlyEqualKeysHaveEqualFingerprints() {
        Set<List<Long>> hashes = new HashSet<>();
        List<Integer> deltas = new ArrayList<>();

        format.forEachKey(batch(Codec.LZ4, "a", "1", null, "2", "b", "3", "a", "4", "", "5"), (delta, h1, h2) -> {
            deltas.add(delta);
            hashes.add(List.of(h1, h2));
        });

        assertThat(deltas).containsExactly(0, 2, 3, 4);
        assertThat(hashes).hasSize(3);
    }

    @Test
    void markersAreRecognized() {
        for (ControlMarker marker : ControlMarker.values()) {
            ByteBuffer batch =
                    copy(RecordBatchBuilder.marker(UnpooledByteBufAllocator.DEFAULT, marker, 0, NOW, 9, (short) 2, 1));

            assertThat(format.kind(batch)).isEqualTo(marker == ControlMarker.COMMIT ? Kind.COMMIT : Kind.ABORT);
            assertThat(format.producerId(batch)).isEqualTo(9);
        }
        assertThat(format.kind(batch(Codec.NONE, "a", "1"))).isEqualTo(Kind.RECORDS);
        assertThat(format.compactableBefore(1)).isEqualTo(43);
    }

    @Test
    void aDamagedBatchFails() {
        ByteBuffer broken = batch(Codec.GZIP, "a", "1", "b", "2");
        broken.putInt(61, -1);

        assertThatThrownBy(() -> format.forEachKey(broken, (delta, h1, h2) -> {}))
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void aMarkerWithoutRecordsGetsADeleteHorizon() {
        ByteBuffer marker = copy(RecordBatchBuilder.marker(
                UnpooledByteBufAllocator.DEFAULT, ControlMarker.COMMIT, 0, NOW, 7, (short) 3, 9));

        ByteBuffer first = Objects.requireNonNull(format.reduceMarker(5, 100, marker, NOW + 10, 1_000));
        ByteBuffer waiting = ByteBuffer.allocate(first.remaining()).put(first).flip();

        RecordBatch header = header(waiting);
        assertThat(header.isCrcValid()).isTrue();
        assertThat(header.hasDeleteHorizon()).isTrue();
        assertThat(header.baseTimestamp()).isEqualTo(NOW + 1_010);
        assertThat(header.maxTimestamp()).isEqualTo(NOW);
        assertThat(header.isControl()).isTrue();
        assertThat(header.isTransactional()).isTrue();
        assertThat(header.producerId()).isEqualTo(7);
        assertThat(header.producerEpoch()).isEqualTo((short) 3);
        assertThat(format.kind(waiting)).isEqualTo(Kind.COMMIT);
        assertThat(format.reduceMarker(5, 100, waiting, NOW + 1_010, 1_000)).isSameAs(waiting);
        assertThat(format.reduceMarker(5, 100, waiting, NOW + 1_011, 1_000)).isNull();
    }

    @Test
    void theMarkerOfAListedTransactionStays() {
        DecidedTransactions listed = new DecidedTransactions() {
            @Override
            public long firstOpenOffset(int queueId) {
                return Long.MAX_VALUE;
            }

            @Override
            public boolean isListedAsAborted(int queueId, long markerOffset) {
                return queueId == 5 && markerOffset == 100;
            }
        };
        ByteBuffer marker = copy(RecordBatchBuilder.marker(
                UnpooledByteBufAllocator.DEFAULT, ControlMarker.ABORT, 0, NOW, 7, (short) 3, 9));
        try (RecordBatchFormat careful = new RecordBatchFormat(listed, MIB, MIB)) {
            assertThat(careful.reduceMarker(5, 100, marker, NOW, 0)).isSameAs(marker);
            assertThat(careful.reduceMarker(5, 101, marker, NOW, 0)).isNotSameAs(marker);
        }
    }
}
