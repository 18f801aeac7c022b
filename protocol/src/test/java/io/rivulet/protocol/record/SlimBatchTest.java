package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.Codec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records from slim batches are the original ones, as read by Kafka's own classes. jqwik prints the seed of a run that
 * fails.
 */
class SlimBatchTest {
    private static final int LEADER_EPOCH = 3;
    private static final int AROUND = 7;

    private final Slimmer slimmer = new Slimmer();
    private final SlimBatch slim = new SlimBatch();

    /** A slim batch, with the fields that the store keeps. */
    private record Kept(long offset, long timestamp, ByteBuffer payload) {}

    private record Producer(long id, short epoch, int sequence) {
        static Producer random(Random random) {
            return random.nextInt(3) == 0
                    ? new Producer(-1, (short) -1, -1)
                    : new Producer(
                            oneOf(random, 0L, 1L, 127L, 128L, 1L << 40, Long.MAX_VALUE, random.nextLong() >>> 1),
                            oneOf(random, (short) 0, (short) 127, (short) 128, Short.MAX_VALUE),
                            oneOf(random, 0, 127, 128, 16_384, Integer.MAX_VALUE, random.nextInt() >>> 1));
        }
    }

    @SafeVarargs
    private static <T> T oneOf(Random random, T... all) {
        return all[random.nextInt(all.length)];
    }

    private static Sample sample(Random random, long offset) {
        List<Sample.Pair> headers = new ArrayList<>();
        for (int i = random.nextInt(4) - 1; i > 0; i--) {
            headers.add(new Sample.Pair("größe".repeat(random.nextInt(14)), bytes(random, 70)));
        }
        long timestamp = oneOf(random, -1L, 0L, Long.MAX_VALUE, 1_700_000_000_000L + random.nextInt(100_000));
        String value = bytes(random, 200);
        return new Sample(offset, timestamp, bytes(random, 150), value == null ? "" : value, headers);
    }

    private static @Nullable String bytes(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return switch (random.nextInt(5)) {
            case 0 -> null;
            case 1 -> "";
            default -> ByteBufUtil.hexDump(bytes);
        };
    }

    private static ByteBuf batch(Sample sample, Producer producer) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            builder.producer(producer.id, producer.epoch, producer.sequence);
            return Sample.append(builder, List.of(sample)).build();
        }
    }

    /** Makes the batch slim in place, between other bytes, which must not change. */
    private byte[] slimmed(ByteBuf batch) {
        int length = batch.readableBytes();
        ByteBuf frame =
                Unpooled.directBuffer().writeZero(AROUND).writeBytes(batch).writeZero(AROUND);
        batch.release();
        int at = slimmer.slim(new RecordBatch().wrap(frame, AROUND, length));
        assertThat(at).isGreaterThan(AROUND);
        for (int i = 0; i < AROUND; i++) {
            assertThat(frame.getByte(i) | frame.getByte(AROUND + length + i)).isZero();
        }
        byte[] payload = ByteBufUtil.getBytes(frame, at, AROUND + length - at);
        frame.release();
        return payload;
    }

    @Property(tries = 500)
    void recordsAndProducersSurvive(@ForAll long seed) {
        Random random = new Random(seed);
        List<Sample> samples = new ArrayList<>();
        List<Kept> kept = new ArrayList<>();
        long offset = oneOf(random, 0L, 1L << 40);
        for (int i = random.nextInt(40); i >= 0; i--) {
            offset += random.nextInt(10) == 0 ? 2 : 1;
            Sample sample = sample(random, offset);
            Producer producer = Producer.random(random);
            byte[] payload = slimmed(batch(sample, producer));

            slim.wrap(ByteBuffer.wrap(payload), 0);

            assertThat(SlimBatch.isSlim(payload[0])).isTrue();
            assertThat(new Producer(slim.producerId(), slim.producerEpoch(), slim.baseSequence()))
                    .isEqualTo(producer);
            assertThat(key(payload)).isEqualTo(sample.key());
            samples.add(sample);
            kept.add(new Kept(offset, sample.timestamp(), ByteBuffer.wrap(payload)));
        }

        List<MutableRecordBatch> batches = Kafka.readAll(dense(kept));

        assertThat(batches.stream().flatMap(batch -> Kafka.samples(batch).stream()))
                .containsExactlyElementsOf(samples);
        for (MutableRecordBatch batch : batches) {
            assertThat(batch.partitionLeaderEpoch()).isEqualTo(LEADER_EPOCH);
            assertThat(batch.isTransactional() || batch.isCompressed() || batch.hasProducerId())
                    .isFalse();
            assertThat(batch.maxTimestamp())
                    .isEqualTo(Kafka.samples(batch).stream()
                            .mapToLong(Sample::timestamp)
                            .max()
                            .orElseThrow());
            assertThat(batch.countOrNull()).isEqualTo((int) (batch.lastOffset() - batch.baseOffset() + 1));
        }
    }

    private @Nullable String key(byte[] payload) {
        return slim.keyLength() == RecordView.NULL_LENGTH
                ? null
                : ByteBufUtil.hexDump(payload, slim.keyAt(), slim.keyLength());
    }

    /** As in a response: one batch for adjacent slim batches. */
    private ByteBuf dense(List<Kept> all) {
        DenseBatch dense = new DenseBatch();
        ByteBuffer target = ByteBuffer.allocateDirect(1 << 20);
        int at = 0;
        for (Kept one : all) {
            int bodyAt = slim.wrap(one.payload, 0).bodyAt();
            int bodyLength = one.payload.capacity() - bodyAt;
            int expected;
            if (dense.takes(one.offset)) {
                expected = dense.sizeInBytes() + dense.bytesOfNext(one.timestamp, bodyLength);
            } else {
                at = closed(dense, target, at);
                dense.begin(one.offset, one.timestamp);
                expected = DenseBatch.bytesOfFirst(bodyLength);
            }
            dense.append(target, at, one.timestamp, one.payload, bodyAt, bodyLength);
            assertThat(dense.sizeInBytes()).isEqualTo(expected);
        }
        return Unpooled.wrappedBuffer(target.limit(closed(dense, target, at)));
    }

    private static int closed(DenseBatch dense, ByteBuffer target, int at) {
        if (!dense.isOpen()) {
            return at;
        }
        int end = at + dense.sizeInBytes();
        dense.close(target, at, LEADER_EPOCH);
        assertThat(dense.isOpen()).isFalse();
        return end;
    }

    @Test
    void aBatchHasAnEndAndTheNextGoesOn() {
        List<Kept> kept = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Sample sample = new Sample(i, 5, null, Sample.hex(new byte[900]), List.of());
            byte[] payload = slimmed(batch(sample, new Producer(-1, (short) -1, -1)));
            kept.add(new Kept(i, 5, ByteBuffer.wrap(payload)));
        }

        List<MutableRecordBatch> batches = Kafka.readAll(dense(kept));

        assertThat(batches).hasSizeBetween(10, 20);
        assertThat(batches).allMatch(batch -> batch.sizeInBytes() < 67_000);
    }

    private static Arguments form(String what, Consumer<RecordBatchBuilder> settings, Sample... samples) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            settings.accept(builder);
            return Arguments.of(what, Sample.append(builder, List.of(samples)).build());
        }
    }

    private static Sample plain() {
        return new Sample(0, 8, "6b", "76", List.of(new Sample.Pair("h", null)));
    }

    /** Changes the bytes of a valid batch from the record's length, and the checksum. */
    private static Arguments changed(String what, Consumer<ByteBuf> change) {
        ByteBuf batch = batch(plain(), new Producer(7, (short) 0, 0));
        change.accept(batch);
        batch.setInt(RecordBatchLayout.LENGTH, batch.readableBytes() - RecordBatchLayout.LENGTH_OVERHEAD_BYTES);
        Sample.flyweight(batch).stampCrc();
        return Arguments.of(what, batch);
    }

    static Stream<Arguments> formsThatStay() {
        int record = RecordBatchLayout.RECORDS;
        Sample large = new Sample(0, 8, null, Sample.hex(new byte[SlimBatch.MAX_BATCH_BYTES - 60]), List.of());
        return Stream.of(
                form("two records", settings -> {}, plain(), plain()),
                form("none", settings -> {}),
                form("large", settings -> {}, large),
                form("a tombstone", settings -> {}, new Sample(0, 8, "6b", null, List.of())),
                form("compressed", settings -> settings.compression(Codec.LZ4), plain()),
                form(
                        "of a transaction",
                        settings -> settings.producer(7, (short) 0, 0).transactional(),
                        plain()),
                form("with the broker's time", settings -> settings.logAppendTime(8), plain()),
                form("with a horizon", settings -> settings.deleteHorizon(8), plain()),
                changed("another max timestamp", batch -> batch.setLong(RecordBatchLayout.MAX_TIMESTAMP, 9)),
                changed("an unknown attribute", batch -> batch.setShort(RecordBatchLayout.ATTRIBUTES, 0x80)),
                changed("a record's attribute", batch -> batch.setByte(record + 1, 1)),
                changed("a timestamp delta", batch -> batch.setByte(record + 2, 2)),
                changed("an offset delta", batch -> batch.setByte(record + 3, 2)),
                changed("bytes after the record", batch -> batch.writeByte(0)),
                changed("a record that is longer", batch -> batch.setByte(record, batch.getByte(record) + 2)),
                changed("a record that is shorter", batch -> batch.setByte(record, batch.getByte(record) - 2)),
                changed("a long key", batch -> batch.setByte(record + 4, 100)),
                changed("a key of negative length", batch -> batch.setByte(record + 4, 3)),
                changed("a long value", batch -> batch.setByte(record + 6, 20)),
                changed("too many headers", batch -> batch.setByte(record + 8, 4)),
                changed("too few headers", batch -> batch.setByte(record + 8, 0)),
                changed("a header without a key", batch -> batch.setByte(record + 9, 1)),
                changed(
                        "an endless varint",
                        batch -> batch.setByte(record + 4, 0x80).setByte(record + 5, 0x80)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("formsThatStay")
    void whatHasNoSlimFormStaysAsItWasSent(String what, ByteBuf batch) {
        byte[] before = ByteBufUtil.getBytes(batch);

        assertThat(slimmer.slim(Sample.flyweight(batch))).isZero();
        assertThat(ByteBufUtil.getBytes(batch)).isEqualTo(before);
        assertThat(SlimBatch.isSlim(before[0])).isFalse();
        batch.release();
    }

    /** The walk over the record stops at its end: other bytes must not make it valid. */
    @Property(tries = 2_000)
    void aDamagedRecordIsSlimOnlyIfKafkaCanReadIt(@ForAll long seed) {
        Random random = new Random(seed);
        ByteBuf batch = batch(sample(random, 0), Producer.random(random));
        for (int i = random.nextInt(3); i >= 0; i--) {
            int body = RecordBatchLayout.RECORDS + random.nextInt(batch.readableBytes() - RecordBatchLayout.RECORDS);
            batch.setByte(body, random.nextInt(4) == 0 ? random.nextInt(256) : random.nextInt(12));
        }
        Sample.flyweight(batch).stampCrc();
        ByteBuf sent = batch.copy();
        int end = batch.writerIndex();
        batch.writeBytes(new byte[64]);

        int at = slimmer.slim(Sample.flyweight(batch));

        if (at > 0) {
            Sample expected = Sample.read(Sample.flyweight(sent)).get(0);
            byte[] payload = ByteBufUtil.getBytes(batch, at, end - at);
            Kept kept = new Kept(0, expected.timestamp(), ByteBuffer.wrap(payload));
            assertThat(Kafka.samples(Kafka.read(dense(List.of(kept))))).containsExactly(expected);
        }
        batch.release();
        sent.release();
    }

    @Test
    void aBatchWithAnUnknownMarkerIsRefused() {
        assertThatThrownBy(() -> slim.wrap(ByteBuffer.wrap(new byte[] {(byte) 0x82, 0, 0, 0}), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("130");
    }

    @Test
    void neitherFormAllocates() {
        ByteBuf sent = batch(plain(), new Producer(7, (short) 0, 0));
        ByteBuf batch = Allocations.unwatched(sent);
        sent.release();
        ByteBuf frame = Allocations.unwatched(Unpooled.buffer(512).writeZero(512));
        ByteBuffer target = ByteBuffer.allocateDirect(512);
        RecordBatch flyweight = new RecordBatch();
        DenseBatch dense = new DenseBatch();
        ByteBuffer source = frame.nioBuffer(0, 512);
        int length = batch.readableBytes();
        // Netty's copies between buffers create views if it cannot use Unsafe.
        ByteBuffer original = batch.nioBuffer(0, length);
        Runnable once = () -> {
            source.put(0, original, 0, length);
            int at = slimmer.slim(flyweight.wrap(frame, 0, length));
            int bodyAt = slim.wrap(source, at).bodyAt();
            dense.begin(1, 8);
            dense.append(target, 0, 8, source, bodyAt, length - bodyAt);
            dense.close(target, 0, 0);
        };
        for (int i = 0; i < 20_000; i++) {
            once.run();
        }

        assertThat(Allocations.bytesOf(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        once.run();
                    }
                }))
                .isLessThan(10_000);
        batch.release();
        frame.release();
    }
}
