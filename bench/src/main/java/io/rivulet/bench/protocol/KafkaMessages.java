package io.rivulet.bench.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** The messages in Kafka's own classes. Stateless. */
final class KafkaMessages {
    private static final int TOPICS = 10;
    private static final int PARTITIONS_PER_TOPIC = 50;

    private KafkaMessages() {}

    static ProduceRequestData produce(short version, int recordsBytes) {
        ProduceRequestData request =
                new ProduceRequestData().setAcks((short) -1).setTimeoutMs(30_000);
        for (int t = 0; t < TOPICS; t++) {
            List<PartitionProduceData> partitions = new ArrayList<>();
            for (int p = 0; p < PARTITIONS_PER_TOPIC; p++) {
                partitions.add(new PartitionProduceData().setIndex(p).setRecords(records(recordsBytes)));
            }
            TopicProduceData topic = new TopicProduceData().setPartitionData(partitions);
            request.topicData().add(version < 13 ? topic.setName(topic(t)) : topic.setTopicId(new Uuid(41, t)));
        }
        return request;
    }

    static FetchResponseData fetch(short version, int recordsBytes) {
        List<FetchableTopicResponse> topics = new ArrayList<>();
        for (int t = 0; t < TOPICS; t++) {
            List<PartitionData> partitions = new ArrayList<>();
            for (int p = 0; p < PARTITIONS_PER_TOPIC; p++) {
                partitions.add(new PartitionData()
                        .setPartitionIndex(p)
                        .setHighWatermark(1_000_000L + p)
                        .setLastStableOffset(1_000_000L + p)
                        .setLogStartOffset(p)
                        .setAbortedTransactions(null)
                        .setRecords(records(recordsBytes)));
            }
            FetchableTopicResponse topic = new FetchableTopicResponse().setPartitions(partitions);
            topics.add(version < 13 ? topic.setTopic(topic(t)) : topic.setTopicId(new Uuid(41, t)));
        }
        return new FetchResponseData().setSessionId(7).setResponses(topics);
    }

    private static String topic(int index) {
        return "orders-by-customer-" + index;
    }

    private static MemoryRecords records(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(41).nextBytes(bytes);
        return MemoryRecords.readableRecords(ByteBuffer.wrap(bytes));
    }

    static ByteBuffer write(Message message, short version) {
        ByteBuffer target = ByteBuffer.allocate(message.size(new ObjectSerializationCache(), version));
        write(message, version, target);
        return target;
    }

    /** Writes the message and flips the target. */
    static void write(Message message, short version, ByteBuffer target) {
        target.clear();
        ObjectSerializationCache cache = new ObjectSerializationCache();
        if (message.size(cache, version) > target.capacity()) {
            throw new IllegalStateException("the target is too small");
        }
        message.write(new ByteBufferAccessor(target), cache, version);
        target.flip();
    }
}
