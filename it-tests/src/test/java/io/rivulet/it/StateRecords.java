package io.rivulet.it;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupMetadataKey;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupMetadataValue;
import org.apache.kafka.coordinator.group.generated.GroupMetadataKey;
import org.apache.kafka.coordinator.group.generated.GroupMetadataValue;
import org.apache.kafka.coordinator.group.generated.OffsetCommitKey;
import org.apache.kafka.coordinator.group.generated.OffsetCommitValue;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogKey;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogValue;

/** Reads an internal topic as Burrow and kminion do: from its start to its end, and then what is new. */
final class StateRecords implements AutoCloseable {
    static final String OFFSETS = "__consumer_offsets";
    static final String TRANSACTIONS = "__transaction_state";

    private final KafkaConsumer<ByteBuffer, ByteBuffer> consumer;
    private final List<TopicPartition> partitions;
    /** The last offset of each partition. */
    private final Map<TopicPartition, Long> last = new HashMap<>();
    /** The last value of each key that was not deleted. */
    final Map<ApiMessage, ApiMessage> state = new HashMap<>();

    final Map<ApiMessage, Integer> partitionOf = new HashMap<>();
    int count;

    StateRecords(String servers, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "max.poll.records", 100, "auto.offset.reset", "earliest"),
                new ByteBufferDeserializer(),
                new ByteBufferDeserializer());
        partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads up to the present end. */
    StateRecords readToEnd() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("the end " + ends + " was not reached");
            }
            poll();
        }
        return this;
    }

    void poll() {
        for (ConsumerRecord<ByteBuffer, ByteBuffer> record : consumer.poll(Duration.ofMillis(200))) {
            take(record);
        }
    }

    private void take(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        Long before = last.put(partition, record.offset());
        if (before != null && record.offset() <= before) {
            throw new AssertionError(partition + " went back from " + before + " to " + record.offset());
        }
        count++;
        ApiMessage key = key(record.topic(), record.key());
        partitionOf.put(key, record.partition());
        if (record.value() == null) {
            state.remove(key);
        } else {
            state.put(key, value(key, record.value()));
        }
    }

    Map<TopicPartition, Long> ends() {
        return consumer.endOffsets(partitions);
    }

    private static ApiMessage key(String topic, ByteBuffer bytes) {
        short type = bytes.getShort();
        ByteBufferAccessor in = new ByteBufferAccessor(bytes);
        if (topic.equals(TRANSACTIONS)) {
            return new TransactionLogKey(in, (short) 0);
        }
        return switch (type) {
            case 1 -> new OffsetCommitKey(in, (short) 0);
            case 2 -> new GroupMetadataKey(in, (short) 0);
            case 3 -> new ConsumerGroupMetadataKey(in, (short) 0);
            default -> throw new AssertionError("a key of type " + type);
        };
    }

    private static ApiMessage value(ApiMessage key, ByteBuffer bytes) {
        short version = bytes.getShort();
        ByteBufferAccessor in = new ByteBufferAccessor(bytes);
        if (key instanceof TransactionLogKey) {
            return new TransactionLogValue(in, version);
        } else if (key instanceof OffsetCommitKey) {
            return new OffsetCommitValue(in, version);
        } else if (key instanceof GroupMetadataKey) {
            return new GroupMetadataValue(in, version);
        }
        return new ConsumerGroupMetadataValue(in, version);
    }

    /** The committed offsets of the group. */
    Map<String, Long> offsets(String group) {
        Map<String, Long> offsets = new TreeMap<>();
        state.forEach((key, value) -> {
            if (key instanceof OffsetCommitKey offset && offset.group().equals(group)) {
                offsets.put(offset.topic() + "-" + offset.partition(), ((OffsetCommitValue) value).offset());
            }
        });
        return offsets;
    }

    OffsetCommitValue offset(String group, String topic, int partition) {
        return (OffsetCommitValue)
                state.get(new OffsetCommitKey().setGroup(group).setTopic(topic).setPartition(partition));
    }

    GroupMetadataValue classicGroup(String group) {
        return (GroupMetadataValue) state.get(new GroupMetadataKey().setGroup(group));
    }

    @Override
    public void close() {
        consumer.close();
    }
}
