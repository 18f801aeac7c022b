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
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

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
        return of(topic, IntStream.range(0, shape.partitions()).toArray(), shape);
    }

    /**
     * Frames that together write equally often to each of these partitions, all with the same number of batches. A few
     * of the partitions are left out if they can't be divided so.
     *
     * @param shape its number of batches is that of a request at most
     */
    static Frames of(String topic, int[] partitions, LoadShape shape) {
        ByteBuf batch = batch(shape.recordsPerBatch());
        int distinct = (partitions.length + shape.batchesPerRequest() - 1) / shape.batchesPerRequest();
        int each = partitions.length / distinct;
        int count = distinct * ((MIN_FRAMES + distinct - 1) / distinct);
        Frames frames = of(count, each * shape.recordsPerBatch(), i -> {
            int first = i % distinct * each;
            return request(topic, Arrays.copyOfRange(partitions, first, first + each), batch);
        });
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
        return request(topic, new int[] {partition}, batch(1));
    }

    private static ProduceRequest request(String topic, int[] partitions, ByteBuf batch) {
        List<PartitionProduceData> batches = new ArrayList<>(partitions.length);
        for (int partition : partitions) {
            batches.add(new PartitionProduceData().index(partition).records(Records.of(batch)));
        }
        return request(topic, batches);
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
