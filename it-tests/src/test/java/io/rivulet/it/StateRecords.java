package io.rivulet.it;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.coordinator.group.generated.CoordinatorRecordType;
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
        ApiMessage key = topic.equals(TRANSACTIONS)
                ? new TransactionLogKey()
                : CoordinatorRecordType.fromId(type).newRecordKey();
        key.read(new ByteBufferAccessor(bytes), (short) 0);
        return key;
    }

    private static ApiMessage value(ApiMessage key, ByteBuffer bytes) {
        short version = bytes.getShort();
        ApiMessage value = key instanceof TransactionLogKey
                ? new TransactionLogValue()
                : CoordinatorRecordType.fromId(key.apiKey()).newRecordValue();
        value.read(new ByteBufferAccessor(bytes), version);
        return value;
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
        return value(new GroupMetadataKey().setGroup(group));
    }

    /** The last value of the key; null if there is none. The caller knows its type. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <V extends ApiMessage> V value(ApiMessage key) {
        return (V) state.get(key);
    }

    /** The keys of a group of the consumer protocol, without those of offsets. */
    Set<ApiMessage> keysOf(String group) {
        return state.keySet().stream()
                .filter(key ->
                        !(key instanceof OffsetCommitKey) && key.toString().contains("groupId='" + group + "'"))
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        consumer.close();
    }
}
