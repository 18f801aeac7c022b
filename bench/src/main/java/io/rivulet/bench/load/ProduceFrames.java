package io.rivulet.bench.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Encodes Produce requests. Stateless. */
public final class ProduceFrames {
    public static final short VERSION = 9;
    private static final int VALUE_BYTES = 58;
    private static final short ACKS_ALL = -1;
    private static final int TIMEOUT_MILLIS = 30_000;
    /** With more frames, the end of the buffer seldom splits a run of frames. */
    private static final int MIN_FRAMES = 16;

    private ProduceFrames() {}

    /** Frames that together write equally often to each partition of the topic. */
    public static Frames of(String topic, LoadShape shape) {
        ByteBuf batch = batch(shape.recordsPerBatch());
        int distinct = shape.partitions() / shape.batchesPerRequest();
        int count = distinct * ((MIN_FRAMES + distinct - 1) / distinct);
        Frames frames = of(
                count,
                shape.batchesPerRequest() * shape.recordsPerBatch(),
                i -> request(topic, i % distinct * shape.batchesPerRequest(), shape.batchesPerRequest(), batch));
        batch.release();
        return frames;
    }

    /** @param request of each number; none needs many more bytes than the first */
    public static Frames of(int count, int messagesPerFrame, IntFunction<ProduceRequest> request) {
        return new Frames(
                count,
                messagesPerFrame,
                ProduceResponses::check,
                i -> Wire.frame(ApiKey.PRODUCE, VERSION, request.apply(i)));
    }

    private static ByteBuf batch(int records) {
        SplittableRandom random = new SplittableRandom(58);
        long now = System.currentTimeMillis();
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            for (int i = 0; i < records; i++) {
                byte[] value = new byte[VALUE_BYTES];
                random.nextBytes(value);
                builder.append(now, null, value);
            }
            return builder.build();
        }
    }

    /** A request with one record. */
    public static ProduceRequest oneRecord(String topic, int partition) {
        return request(topic, partition, 1, batch(1));
    }

    private static ProduceRequest request(String topic, int firstPartition, int count, ByteBuf batch) {
        List<PartitionProduceData> partitions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            partitions.add(new PartitionProduceData().index(firstPartition + i).records(Records.of(batch)));
        }
        return request(topic, partitions);
    }

    /** A request with acks=all. */
    public static ProduceRequest request(List<TopicProduceData> topics) {
        return new ProduceRequest().acks(ACKS_ALL).timeoutMs(TIMEOUT_MILLIS).topicData(topics);
    }

    /** A request with acks=all for one topic. */
    public static ProduceRequest request(String topic, List<PartitionProduceData> partitions) {
        return request(List.of(new TopicProduceData().name(topic).partitionData(partitions)));
    }
}
