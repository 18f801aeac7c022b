package io.rivulet.broker.share;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordHeader;
import io.rivulet.protocol.record.RecordHeaders;
import io.rivulet.protocol.record.RecordView;
import io.rivulet.protocol.record.TimestampType;
import io.rivulet.store.AppendRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The letters of one slice: a batch for each partition of the topic that gets some. All of them are smaller than the
 * largest batch of the topic together, unless there is only one letter.
 *
 * <p>Owned by: the read thread.
 */
final class DeadLetterBatches implements AutoCloseable {
    /** What has become of a letter. */
    enum Added {
        YES,
        /** It belongs to the next slice. */
        FULL,
        /** It is too large even without its record, or has no key and the topic is compacted. */
        IMPOSSIBLE
    }

    /** One log group must hold all letters and the results. */
    static final int MOST_BYTES = 2 << 20;

    /** What a record and the headers of its batch take beside keys, values and headers. */
    private static final int RECORD_BYTES = 160;
    /** The lengths of a header's key and value. */
    private static final int HEADER_BYTES = 10;

    private final Topic topic;
    private final String groupId;
    private final long nowMillis;
    private final int maxBytes;
    private final Map<Integer, RecordBatchBuilder> byPartition = new TreeMap<>();
    private int bytes;
    private int count;

    DeadLetterBatches(Topic topic, String groupId, long nowMillis) {
        this.topic = topic;
        this.groupId = groupId;
        this.nowMillis = nowMillis;
        this.maxBytes = Math.min(MOST_BYTES, topic.settings().maxMessageBytes());
    }

    /** @param record null if the letter has none of it; a record that does not fit is left out */
    Added add(String source, int partition, DeadRange range, long offset, @Nullable RecordView record) {
        List<RecordHeader> own = headers(source, partition, range, offset);
        List<RecordHeader> all = new ArrayList<>(record == null ? 0 : record.headerCount());
        if (record != null) {
            RecordHeaders its = record.headers();
            while (its.next()) {
                all.add(new RecordHeader(its.key(), bytesOf(its.value())));
            }
        }
        all.addAll(own);
        ByteBuf key = record == null ? null : record.key();
        ByteBuf value = record == null ? null : record.value();
        long size = size(key, value, all);
        if (size > maxBytes && record != null) {
            return add(source, partition, range, offset, null);
        }
        if (size > maxBytes || (key == null && topic.settings().compaction() != null)) {
            return Added.IMPOSSIBLE;
        }
        if (bytes + size > maxBytes) {
            return Added.FULL;
        }
        byPartition
                .computeIfAbsent(partition % topic.partitionCount(), to -> builder(topic.settings()))
                .append(nowMillis, key, value, all);
        bytes += (int) size;
        count++;
        return Added.YES;
    }

    private RecordBatchBuilder builder(TopicSettings settings) {
        RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT);
        TopicSettings.Compression compression = settings.compression();
        if (compression != null) {
            builder.compression(compression.codec(), compression.level());
        }
        if (settings.timestampType() == TimestampType.LOG_APPEND_TIME) {
            builder.logAppendTime(nowMillis);
        }
        return builder;
    }

    /** The names and the texts are Kafka's. */
    private List<RecordHeader> headers(String source, int partition, DeadRange range, long offset) {
        return List.of(
                header("__dlq.errors.topic", source),
                header("__dlq.errors.partition", Integer.toString(partition)),
                header("__dlq.errors.offset", Long.toString(offset)),
                header("__dlq.errors.group", groupId),
                header("__dlq.errors.delivery.count", Integer.toString(range.deliveries())),
                header("__dlq.errors.message", DeadCause.text(range.cause())));
    }

    private static RecordHeader header(String name, String value) {
        return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte @Nullable [] bytesOf(@Nullable ByteBuf value) {
        if (value == null) {
            return null;
        }
        byte[] copy = new byte[value.readableBytes()];
        value.getBytes(value.readerIndex(), copy);
        return copy;
    }

    private static long size(@Nullable ByteBuf key, @Nullable ByteBuf value, List<RecordHeader> headers) {
        long size = RECORD_BYTES;
        size += key == null ? 0 : key.readableBytes();
        size += value == null ? 0 : value.readableBytes();
        for (RecordHeader header : headers) {
            byte[] content = header.value();
            size += HEADER_BYTES + 3L * header.key().length() + (content == null ? 0 : content.length);
        }
        return size;
    }

    int count() {
        return count;
    }

    /** The letters and the results of their records, which are stored together or not at all. */
    AppendRequest request(ByteBuffer results, AppendRequest.Completion completion) {
        List<ByteBuf> batches = new ArrayList<>(byPartition.size());
        int size = results.remaining();
        for (RecordBatchBuilder builder : byPartition.values()) {
            ByteBuf batch = builder.build();
            batches.add(batch);
            size += batch.readableBytes();
        }
        ByteBuffer source = ByteBuffer.allocate(size).put(results.duplicate());
        AppendRequest request = new AppendRequest(source, AppendRequest.Wait.DURABLE, completion)
                .atomic()
                .addState(ShareGroups.VIEW_ID, 0, results.remaining());
        int i = 0;
        for (Map.Entry<Integer, RecordBatchBuilder> one : byPartition.entrySet()) {
            ByteBuf batch = batches.get(i++);
            int at = source.position();
            source.put(batch.nioBuffer());
            batch.release();
            request.add(
                    topic.queueId(one.getKey()),
                    at,
                    source.position() - at,
                    one.getValue().recordCount(),
                    nowMillis);
        }
        source.flip();
        return request;
    }

    @Override
    public void close() {
        byPartition.values().forEach(RecordBatchBuilder::close);
    }
}
