package io.rivulet.broker.produce;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.config.TopicSettings.Compression;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.record.BatchLimits;
import io.rivulet.protocol.record.BatchValidator;
import io.rivulet.protocol.record.InvalidBatchException;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.RecordsCheck;
import io.rivulet.protocol.wire.Records;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the batches of one request with the codecs of their topics. The result is a request with its own frame,
 * because an append has one source. Batches that already have the codec are copied.
 *
 * <p>Memory: the new frame, which is not longer than a request may be, and the records of one batch. Owned by: one
 * thread, for one request.
 */
public final class Recompression implements AutoCloseable {
    /** The request with new bytes, and the refusals of some of its partitions. The caller releases the frame. */
    public record Rewritten(
            ProduceRequest request, ByteBuf frame, IdentityHashMap<PartitionProduceData, RefusedException> refusals) {}

    private final ByteBufAllocator allocator;
    private final int maxFrameBytes;
    private final int maxDecompressedBytes;
    private final RecordCursor cursor = new RecordCursor();
    private final RecordsCheck recordsCheck;
    private final IdentityHashMap<PartitionProduceData, RefusedException> refusals = new IdentityHashMap<>();
    private long decompressedLeft;

    /**
     * @param maxFrameBytes the limit of the new frame
     * @param maxDecompressedBytes the limit of the records of one batch; {@link BatchChecks#MAX_RATIO} limits those of
     *     all
     */
    public Recompression(ByteBufAllocator allocator, int maxFrameBytes, int maxDecompressedBytes) {
        this.allocator = allocator;
        this.maxFrameBytes = maxFrameBytes;
        this.maxDecompressedBytes = maxDecompressedBytes;
        this.recordsCheck = new RecordsCheck(maxDecompressedBytes);
    }

    /** The largest size of the new frame, within the limit. */
    public static int maxFrameBytes(ProduceRequest request, @Nullable Topic[] topics, int maxFrameBytes) {
        long bytes = 0;
        for (int i = 0; i < topics.length; i++) {
            Topic topic = topics[i];
            Compression wanted = topic == null ? null : topic.settings().compression();
            for (PartitionProduceData data : request.topicData().get(i).partitionData()) {
                Records records = data.records();
                if (records != null) {
                    boolean changes = topic != null && wanted != null && differs(records, wanted);
                    bytes += changes ? topic.settings().maxMessageBytes() : records.sizeInBytes();
                }
            }
        }
        return (int) Math.min(bytes, maxFrameBytes);
    }

    /** Whether a batch for this topic has another codec than the topic asks for. Reads only the attributes. */
    public static boolean isWanted(@Nullable Topic topic, TopicProduceData sent) {
        Compression wanted = topic == null ? null : topic.settings().compression();
        if (wanted != null) {
            for (PartitionProduceData data : sent.partitionData()) {
                if (differs(data.records(), wanted)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean differs(@Nullable Records records, Compression wanted) {
        return records != null
                && records.sizeInBytes() > RecordBatchLayout.HEADER_BYTES
                && new RecordBatch()
                                .wrap(records.buffer(), records.index(), records.sizeInBytes())
                                .codec()
                        != wanted.codec();
    }

    /** @param topics the topic of each part of the request; null if it does not exist */
    public Rewritten rewrite(ProduceRequest request, @Nullable Topic[] topics, int frameBytes) {
        ByteBuf frame = allocator.buffer(Math.min(frameBytes, maxFrameBytes), maxFrameBytes);
        decompressedLeft = BatchChecks.MAX_RATIO * frameBytes + maxDecompressedBytes;
        try {
            List<TopicProduceData> parts = new ArrayList<>(topics.length);
            for (int i = 0; i < topics.length; i++) {
                Topic topic = topics[i];
                parts.add(part(request.topicData().get(i), topic == null ? null : topic.settings(), frame));
            }
            ProduceRequest rewritten = new ProduceRequest()
                    .transactionalId(request.transactionalId())
                    .acks(request.acks())
                    .timeoutMs(request.timeoutMs())
                    .topicData(parts);
            return new Rewritten(rewritten, frame, refusals);
        } catch (RuntimeException | Error e) {
            frame.release();
            throw e;
        }
    }

    private TopicProduceData part(TopicProduceData sent, @Nullable TopicSettings settings, ByteBuf frame) {
        List<PartitionProduceData> partitions =
                new ArrayList<>(sent.partitionData().size());
        for (PartitionProduceData data : sent.partitionData()) {
            PartitionProduceData copy = new PartitionProduceData().index(data.index());
            try {
                copy.records(copied(data.records(), settings, frame));
            } catch (RefusedException | InvalidBatchException e) {
                refusals.put(copy, ErrorMapper.refusal(e));
            }
            partitions.add(copy);
        }
        return new TopicProduceData().name(sent.name()).topicId(sent.topicId()).partitionData(partitions);
    }

    private @Nullable Records copied(@Nullable Records records, @Nullable TopicSettings settings, ByteBuf frame) {
        if (records == null) {
            return null;
        }
        Compression wanted = settings == null ? null : settings.compression();
        if (settings == null || wanted == null || !differs(records, wanted)) {
            return append(records.buffer(), records.index(), records.sizeInBytes(), frame);
        }
        ByteBuf built = compressed(soundBatch(records, settings), wanted);
        try {
            if (built.readableBytes() > settings.maxMessageBytes()) {
                throw new RefusedException(
                        ErrorCode.MESSAGE_TOO_LARGE,
                        "a batch of " + records.sizeInBytes() + " bytes takes " + built.readableBytes() + " with "
                                + wanted.codec().configName() + "; max.message.bytes is "
                                + settings.maxMessageBytes());
            }
            return append(built, built.readerIndex(), built.readableBytes(), frame);
        } finally {
            built.release();
        }
    }

    private RecordBatch soundBatch(Records records, TopicSettings settings) {
        int limit = Math.max(settings.maxMessageBytes(), RecordBatchLayout.HEADER_BYTES);
        BatchValidator validator = new BatchValidator(new BatchLimits(limit, 1));
        RecordBatch batch = validator.only(records.buffer(), records.index(), records.sizeInBytes());
        int maxBytes = (int) Math.min(maxDecompressedBytes, Math.max(decompressedLeft, 0));
        boolean fits = recordsCheck.checkUpTo(maxBytes, batch, false);
        decompressedLeft -= recordsCheck.checkedBytes();
        if (!fits) {
            throw BatchChecks.tooManyTimesTheRequest();
        }
        return batch;
    }

    private ByteBuf compressed(RecordBatch batch, Compression wanted) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(allocator)) {
            builder.like(batch).compression(wanted.codec(), wanted.level());
            cursor.begin(batch, maxDecompressedBytes);
            while (cursor.next()) {
                builder.append(cursor.record());
            }
            return builder.build();
        }
    }

    private Records append(ByteBuf source, int index, int length, ByteBuf frame) {
        int at = frame.writerIndex();
        if (length > maxFrameBytes - at) {
            throw new RefusedException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "with the compression.type of their topics, the batches of the request exceed " + maxFrameBytes
                            + " bytes, the limit of a request");
        }
        frame.writeBytes(source, index, length);
        return new Records(frame, at, length);
    }

    @Override
    public void close() {
        cursor.close();
        recordsCheck.close();
    }
}
