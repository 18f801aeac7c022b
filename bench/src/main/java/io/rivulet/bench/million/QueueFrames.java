package io.rivulet.bench.million;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.versus.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.wire.Records;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Produce requests that put one message into each queue, encoded before anything is measured. Immutable. */
final class QueueFrames {
    private static final short VERSION = 9;
    private static final short ACKS_ALL = -1;
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int BATCHES_PER_REQUEST = 500;

    private final List<ByteBuffer> frames = new ArrayList<>();

    QueueFrames(Layout layout, int queues) {
        QueueBatch batch = new QueueBatch();
        for (int first = 0; first < queues; first += BATCHES_PER_REQUEST) {
            int count = Math.min(BATCHES_PER_REQUEST, queues - first);
            ByteBuf frame = Wire.frame(ApiKey.PRODUCE, VERSION, request(layout, batch, first, count));
            ByteBuffer copy = ByteBuffer.allocateDirect(frame.readableBytes());
            frames.add(copy.put(frame.nioBuffer()).flip());
            frame.release();
        }
    }

    private static ProduceRequest request(Layout layout, QueueBatch batch, int first, int count) {
        List<TopicProduceData> topics = new ArrayList<>();
        List<PartitionProduceData> partitions = new ArrayList<>();
        for (int queue = first; queue < first + count; queue++) {
            if (queue == first || layout == Layout.TOPICS) {
                partitions = new ArrayList<>();
                topics.add(new TopicProduceData().name(layout.topic(queue)).partitionData(partitions));
            }
            partitions.add(
                    new PartitionProduceData().index(layout.partition(queue)).records(Records.of(batch.of(queue))));
        }
        return new ProduceRequest().acks(ACKS_ALL).timeoutMs(TIMEOUT_MILLIS).topicData(topics);
    }

    int count() {
        return frames.size();
    }

    /** For one send, on any thread. */
    ByteBuffer frame(int index) {
        return frames.get(index).duplicate();
    }
}
