package io.rivulet.bench.million;

import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.wire.Records;
import java.util.ArrayList;
import java.util.List;

/** Encodes Produce requests that write one message to each queue. Stateless. */
final class QueueFrames {
    private static final int BATCHES_PER_REQUEST = 500;

    private QueueFrames() {}

    static Frames of(Layout layout, int queues) {
        QueueBatch batch = new QueueBatch();
        return ProduceFrames.of(
                (queues + BATCHES_PER_REQUEST - 1) / BATCHES_PER_REQUEST, BATCHES_PER_REQUEST, frame -> {
                    int first = frame * BATCHES_PER_REQUEST;
                    return request(layout, batch, first, Math.min(BATCHES_PER_REQUEST, queues - first));
                });
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
        return ProduceFrames.request(topics);
    }
}
