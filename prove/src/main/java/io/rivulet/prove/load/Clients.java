package io.rivulet.prove.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's clients with default settings, except that they reconnect soon, and those of the target. Stateless. */
public final class Clients {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();
    private static final Map<String, Object> SOON = Map.of(
            "reconnect.backoff.ms", 20,
            "reconnect.backoff.max.ms", 100,
            "retry.backoff.ms", 20,
            "retry.backoff.max.ms", 100);

    private Clients() {}

    public static Map<String, Object> settings(int port, Map<String, Object> more) {
        return settings(Target.of(port), more);
    }

    public static Map<String, Object> settings(Target target, Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(SOON);
        all.put("bootstrap.servers", target.servers());
        all.putAll(target.settings());
        all.putAll(more);
        return all;
    }

    public static KafkaProducer<String, String> producer(int port, Map<String, Object> more) {
        return producer(Target.of(port), more);
    }

    public static KafkaProducer<String, String> producer(Target target, Map<String, Object> more) {
        return new KafkaProducer<>(settings(target, more), new StringSerializer(), new StringSerializer());
    }

    public static KafkaConsumer<String, String> consumer(int port, Map<String, Object> more) {
        return consumer(Target.of(port), more);
    }

    public static KafkaConsumer<String, String> consumer(Target target, Map<String, Object> more) {
        return new KafkaConsumer<>(settings(target, more), new StringDeserializer(), new StringDeserializer());
    }

    public static List<TopicPartition> partitions(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
    }

    /** As {@link #readAll(Target, List, String)}. */
    public static List<ConsumerRecord<String, String>> readAll(
            int port, List<TopicPartition> partitions, String isolation) {
        return readAll(Target.of(port), partitions, isolation);
    }

    /** Reads all records of the partitions, in order. */
    public static List<ConsumerRecord<String, String>> readAll(
            Target target, List<TopicPartition> partitions, String isolation) {
        try (KafkaConsumer<String, String> consumer = consumer(target, Map.of("isolation.level", isolation))) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            long endNanos = System.nanoTime() + PATIENCE_NANOS;
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() - endNanos > 0) {
                    throw new IllegalStateException("the ends " + ends + " are not reached");
                }
                consumer.poll(POLL).forEach(records::add);
            }
            return records;
        }
    }
}
