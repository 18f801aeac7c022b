package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.Codec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.jspecify.annotations.Nullable;

/** Kafka's own classes, as the oracle. */
final class Kafka {
    private Kafka() {}

    static Compression compression(Codec codec) {
        return Compression.of(CompressionType.forId(codec.id())).build();
    }

    /** Lets Kafka read a copy of these bytes. Returns the only batch. */
    static MutableRecordBatch read(ByteBuf batch) {
        List<MutableRecordBatch> batches = readAll(batch);
        if (batches.size() != 1) {
            throw new AssertionError("Kafka reads " + batches.size() + " batches");
        }
        return batches.get(0);
    }

    /** Lets Kafka read a copy of these bytes. Returns all batches. */
    static List<MutableRecordBatch> readAll(ByteBuf bytes) {
        MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(ByteBufUtil.getBytes(bytes)));
        List<MutableRecordBatch> batches = new ArrayList<>();
        records.batches().forEach(batches::add);
        batches.forEach(MutableRecordBatch::ensureValid);
        return batches;
    }

    static List<Sample> samples(MutableRecordBatch batch) {
        List<Sample> samples = new ArrayList<>();
        for (Record record : batch) {
            List<Sample.Pair> headers = new ArrayList<>();
            for (Header header : record.headers()) {
                headers.add(new Sample.Pair(header.key(), Sample.hex(header.value())));
            }
            samples.add(
                    new Sample(record.offset(), record.timestamp(), hex(record.key()), hex(record.value()), headers));
        }
        return samples;
    }

    static Header[] headers(Sample sample) {
        return sample.headers().stream()
                .map(pair -> new RecordHeader(pair.key(), Sample.bytes(pair.value())))
                .toArray(Header[]::new);
    }

    static ByteBuf bytesOf(MemoryRecords records) {
        return Unpooled.wrappedBuffer(records.buffer().duplicate());
    }

    private static @Nullable String hex(@Nullable ByteBuffer bytes) {
        return bytes == null ? null : ByteBufUtil.hexDump(Unpooled.wrappedBuffer(bytes));
    }
}
