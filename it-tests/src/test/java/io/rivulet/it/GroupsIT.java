package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.Broker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classic groups of Kafka's own consumer. */
final class GroupsIT {
    private static final Map<String, String> BROKER = Map.of("group.initial.rebalance.delay.ms", "0");

    @TempDir
    private Path directory;

    private Broker broker;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory, BROKER);
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    @Test
    void aGroupGoesOnWhereItHasCommittedAlsoAfterARestart() throws Exception {
        createTopic("numbers", 3);
        produce("numbers", 3, 0, 30);

        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, group("readers"))) {
            consumer.subscribe(List.of("numbers"));
            assertThat(Clients.poll(consumer, 30)).hasSize(30);
            consumer.commitSync();
        }
        broker.close();
        broker = TestBroker.start(directory, BROKER);
        produce("numbers", 3, 30, 36);

        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, group("readers"))) {
            consumer.subscribe(List.of("numbers"));
            assertThat(Clients.poll(consumer, 6))
                    .hasSize(6)
                    .allSatisfy(record ->
                            assertThat(Integer.parseInt(record.value())).isGreaterThanOrEqualTo(30));
        }
        try (Admin admin = Clients.admin(broker)) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets("readers")
                    .partitionsToOffsetAndMetadata()
                    .get();
            assertThat(committed)
                    .hasSize(3)
                    .allSatisfy(
                            (partition, offset) -> assertThat(offset.offset()).isEqualTo(12));
        }
    }

    private static Map<String, Object> group(String id) {
        return new HashMap<>(Map.of("group.id", id, "auto.offset.reset", "earliest", "metadata.max.age.ms", "500"));
    }

    private void createTopic(String name, int partitions) throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get();
        }
    }

    /** The numbers from {@code from} on, one after the other to each partition in turn. */
    private void produce(String topic, int partitions, int from, int to) throws Exception {
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = from; i < to; i++) {
            records.add(new ProducerRecord<>(topic, i % partitions, null, String.valueOf(i)));
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, records);
        }
    }
}
