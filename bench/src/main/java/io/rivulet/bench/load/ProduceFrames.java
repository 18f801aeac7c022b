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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * Encoded produce requests, one behind the other, so that any run of them goes to the socket in one write. Together
 * they visit each partition of the topic equally often. Immutable.
 */
public final class ProduceFrames {
    public static final short VERSION = 9;
    private static final int VALUE_BYTES = 58;
    private static final short ACKS_ALL = -1;
    private static final int TIMEOUT_MILLIS = 30_000;
    /** A run of frames, to be sent at once, shall rarely be cut by the end of the buffer. */
    private static final int MIN_FRAMES = 16;

    private final ByteBuffer bytes;
    private final int[] ends;
    private final int messagesPerFrame;

    private ProduceFrames(ByteBuffer bytes, int[] ends, int messagesPerFrame) {
        this.bytes = bytes;
        this.ends = ends;
        this.messagesPerFrame = messagesPerFrame;
    }

    /** @param shape partitions in all and in each request, and records in each batch */
    public static ProduceFrames of(String topic, LoadShape shape) {
        ByteBuf batch = batch(shape.recordsPerBatch());
        int distinct = shape.partitions() / shape.batchesPerRequest();
        int count = distinct;
        while (count < MIN_FRAMES) {
            count += distinct;
        }
        ProduceFrames frames = of(
                count,
                shape.batchesPerRequest() * shape.recordsPerBatch(),
                i -> request(topic, i % distinct * shape.batchesPerRequest(), shape.batchesPerRequest(), batch));
        batch.release();
        return frames;
    }

    /** @param request of each number; none needs more bytes than the first */
    public static ProduceFrames of(int count, int messagesPerFrame, IntFunction<ProduceRequest> request) {
        int[] ends = new int[count];
        ByteBuffer bytes = ByteBuffer.allocate(0);
        for (int i = 0; i < count; i++) {
            ByteBuf frame = Wire.frame(ApiKey.PRODUCE, VERSION, request.apply(i));
            if (i == 0) {
                bytes = ByteBuffer.allocateDirect(Math.multiplyExact(count, frame.readableBytes() + 8));
            }
            bytes.put(frame.nioBuffer());
            ends[i] = bytes.position();
            frame.release();
        }
        return new ProduceFrames(bytes, ends, messagesPerFrame);
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

    private static ProduceRequest request(String topic, int firstPartition, int count, ByteBuf batch) {
        List<PartitionProduceData> partitions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            partitions.add(new PartitionProduceData().index(firstPartition + i).records(Records.of(batch)));
        }
        return request(topic, partitions);
    }

    /** A request that is answered when all replicas have its batches. */
    public static ProduceRequest request(List<TopicProduceData> topics) {
        return new ProduceRequest().acks(ACKS_ALL).timeoutMs(TIMEOUT_MILLIS).topicData(topics);
    }

    /** The same for a single topic. */
    public static ProduceRequest request(String topic, List<PartitionProduceData> partitions) {
        return request(List.of(new TopicProduceData().name(topic).partitionData(partitions)));
    }

    public int count() {
        return ends.length;
    }

    public int messagesPerFrame() {
        return messagesPerFrame;
    }

    /** The frames {@code [from, to)}. */
    ByteBuffer slice(int from, int to) {
        int start = from == 0 ? 0 : ends[from - 1];
        return bytes.slice(start, ends[to - 1] - start);
    }
}
