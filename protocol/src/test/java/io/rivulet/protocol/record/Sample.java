package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.Codec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A record by value, to compare the results of two implementations. Bytes are in hex; null is null. */
record Sample(
        long offset,
        long timestamp,
        @Nullable String key,
        @Nullable String value,
        List<Sample.Pair> headers) {
    record Pair(String key, @Nullable String value) {}

    static final int NO_LIMIT = 64 * 1024 * 1024;

    /** One record of each kind: plain, null key, null value, empty, headers with null and empty values, large. */
    static List<Sample> ofEachKind(long baseOffset) {
        Random random = new Random(7);
        byte[] large = new byte[100_000];
        random.nextBytes(large);
        return List.of(
                new Sample(baseOffset, 1_700_000_000_000L, hex("key"), hex("value"), List.of()),
                new Sample(baseOffset + 1, 1_700_000_000_005L, null, hex("no key"), List.of()),
                new Sample(baseOffset + 2, 1_699_999_999_000L, hex("tombstone"), null, List.of()),
                new Sample(baseOffset + 3, 1_700_000_000_009L, "", "", List.of(new Pair("h", null))),
                new Sample(
                        baseOffset + 4,
                        1_700_000_000_001L,
                        null,
                        null,
                        List.of(new Pair("", ""), new Pair("größe", hex("12")), new Pair("h", hex("x".repeat(300))))),
                new Sample(baseOffset + 5, 1_700_000_000_002L, hex("large"), hex(large), List.of()),
                new Sample(baseOffset + 6, 1_700_000_000_003L, hex("k"), hex("repeat ".repeat(5_000)), List.of()));
    }

    static List<Sample> read(RecordBatch batch) {
        try (RecordCursor cursor = new RecordCursor()) {
            return read(cursor, batch);
        }
    }

    static List<Sample> read(RecordCursor cursor, RecordBatch batch) {
        List<Sample> samples = new ArrayList<>();
        cursor.begin(batch, NO_LIMIT);
        while (cursor.next()) {
            samples.add(of(cursor.record()));
        }
        return samples;
    }

    static Sample of(RecordView record) {
        List<Pair> headers = new ArrayList<>();
        for (RecordHeaders walk = record.headers(); walk.next(); ) {
            headers.add(new Pair(walk.key(), hex(walk.value())));
        }
        return new Sample(record.offset(), record.timestamp(), hex(record.key()), hex(record.value()), headers);
    }

    static RecordBatchBuilder append(RecordBatchBuilder builder, List<Sample> samples) {
        for (Sample sample : samples) {
            List<RecordHeader> headers = sample.headers().stream()
                    .map(pair -> new RecordHeader(pair.key(), bytes(pair.value())))
                    .toList();
            builder.append(sample.timestamp(), buffer(sample.key()), buffer(sample.value()), headers);
        }
        return builder;
    }

    /** A valid batch of a producer; the caller releases it. */
    static ByteBuf batch(Codec codec, List<Sample> samples) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(ByteBufAllocator.DEFAULT)) {
            return append(builder.compression(codec), samples).build();
        }
    }

    static ByteBuf smallBatch() {
        return batch(Codec.NONE, ofEachKind(0).subList(0, 5));
    }

    /** A batch of one record whose value has these bytes. */
    static ByteBuf batchOfOne(Codec codec, byte[] value) {
        return batch(codec, List.of(new Sample(0, 1, null, hex(value), List.of())));
    }

    /** A batch with these compressed bytes as records. */
    static ByteBuf batchAround(Codec codec, byte[] compressed, int recordCount) {
        ByteBuf batch = batch(Codec.NONE, List.of());
        batch.writeBytes(compressed);
        batch.setInt(RecordBatchLayout.LENGTH, batch.readableBytes() - RecordBatchLayout.LENGTH_OVERHEAD_BYTES);
        batch.setShort(RecordBatchLayout.ATTRIBUTES, codec.id());
        batch.setInt(RecordBatchLayout.LAST_OFFSET_DELTA, recordCount - 1);
        batch.setInt(RecordBatchLayout.RECORD_COUNT, recordCount);
        flyweight(batch).stampCrc();
        return batch;
    }

    static RecordBatch flyweight(ByteBuf batch) {
        return new RecordBatch().wrap(batch, batch.readerIndex(), batch.readableBytes());
    }

    static String hex(String text) {
        return ByteBufUtil.hexDump(text.getBytes(StandardCharsets.UTF_8));
    }

    static @Nullable String hex(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBufUtil.hexDump(bytes);
    }

    static @Nullable String hex(@Nullable ByteBuf bytes) {
        return bytes == null ? null : ByteBufUtil.hexDump(ByteBufUtil.getBytes(bytes));
    }

    static byte @Nullable [] bytes(@Nullable String hex) {
        return hex == null ? null : ByteBufUtil.decodeHexDump(hex);
    }

    private static @Nullable ByteBuf buffer(@Nullable String hex) {
        return hex == null ? null : Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
    }
}
