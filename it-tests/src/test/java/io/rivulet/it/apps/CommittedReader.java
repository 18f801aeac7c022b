package io.rivulet.it.apps;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.rivulet.it.Clients;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads the committed records of topics from the start. Owned by: the test's thread. */
final class CommittedReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final KafkaConsumer<String, String> consumer;
    private final List<ConsumerRecord<String, String>> records = new ArrayList<>();

    CommittedReader(String servers, List<String> topics) {
        consumer = Clients.consumer(servers, Map.of("isolation.level", "read_committed"));
        List<TopicPartition> partitions = topics.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads until this number of records of the topic has arrived in all. */
    void readUntil(String topic, int count, AppProcess app) throws IOException {
        readUntil(() -> of(topic).size() >= count, app);
    }

    /** The same, but counts each value once. */
    void readUntilDistinct(String topic, int count, AppProcess app) throws IOException {
        readUntil(() -> of(topic).stream().map(ConsumerRecord::value).distinct().count() >= count, app);
    }

    private void readUntil(BooleanSupplier enough, AppProcess app) throws IOException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!enough.getAsBoolean()) {
            app.requireAlive();
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError(
                        "records so far: " + countByTopic() + "; output of the application: " + app.lastWords());
            }
            consumer.poll(POLL).forEach(records::add);
        }
    }

    private Map<String, Long> countByTopic() {
        return records.stream().collect(groupingBy(ConsumerRecord::topic, counting()));
    }

    List<ConsumerRecord<String, String>> of(String topic) {
        return records.stream().filter(record -> record.topic().equals(topic)).toList();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
