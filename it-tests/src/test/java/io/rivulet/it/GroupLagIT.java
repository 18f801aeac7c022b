package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lag of groups on the page /metrics, beside what Kafka's Admin says. */
final class GroupLagIT {
    private static final int PARTITIONS = 3;
    private static final int RECORDS = 90;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        open();
        create("orders");
    }

    private void open() throws IOException {
        broker = TestBroker.start(
                directory, Map.of("rivulet.http.listener", "localhost:0", "rivulet.metrics.groups", "8"));
        admin = Clients.admin(broker);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private void create(String topic) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                .all()
                .get();
    }

    private void produce(String topic, int count) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            List<ProducerRecord<String, String>> records = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                records.add(new ProducerRecord<>(topic, i % PARTITIONS, null, "value-" + i));
            }
            Clients.sendAll(producer, records);
        }
    }

    private void commit(String group, String topic, int partition, long offset) throws Exception {
        admin.alterConsumerGroupOffsets(
                        group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
                .all()
                .get();
    }

    private Map<String, Double> scrape() throws Exception {
        HttpPage.Answer answer = HttpPage.get("http://localhost:"
                + Objects.requireNonNull(broker.httpAddress()).getPort() + "/metrics");
        assertThat(answer.status()).isEqualTo(200);
        Map<String, Double> samples = new HashMap<>();
        answer.body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.lastIndexOf(' ');
            samples.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        });
        return samples;
    }

    private static String series(String name, String group, String topic) {
        return name + "{consumergroup=\"" + group + "\",topic=\"" + topic + "\"}";
    }

    private static String lag(String group, String topic) {
        return series("kafka_consumergroup_lag", group, topic);
    }

    private static String seconds(String group, String topic) {
        return series("rivulet_consumergroup_lag_seconds", group, topic);
    }

    /** The lag of the group by topic, as the tools compute it. */
    private Map<String, Double> lagByAdmin(String group) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        committed.keySet().forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        Map<String, Double> lags = new HashMap<>();
        admin.listOffsets(latest)
                .all()
                .get()
                .forEach((partition, end) -> lags.merge(
                        lag(group, partition.topic()),
                        (double) end.offset() - committed.get(partition).offset(),
                        Double::sum));
        return lags;
    }

    /** A scrape waits only a little for new numbers. */
    private void awaitLagOf(String group) throws Exception {
        Map<String, Double> wanted = lagByAdmin(group);
        assertThat(wanted).isNotEmpty();
        await(samples -> assertThat(samples).containsAllEntriesOf(wanted));
    }

    private interface Check {
        void check(Map<String, Double> samples) throws Exception;
    }

    private void await(Check check) {
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> check.check(scrape()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void theLagOfAConsumerIsWhatTheToolsSay(String protocol) throws Exception {
        produce("orders", RECORDS);
        try (KafkaConsumer<String, String> consumer = Clients.consumer(
                broker,
                Map.of(
                        "group.id", "app",
                        "group.protocol", protocol,
                        "max.poll.records", "10",
                        "enable.auto.commit", "false",
                        "auto.offset.reset", "earliest"))) {
            consumer.subscribe(List.of("orders"));
            Clients.poll(consumer, RECORDS / 2);
            consumer.commitSync();
            awaitLagOf("app");

            produce("orders", RECORDS);
            awaitLagOf("app");
            await(samples -> assertThat(samples.get(seconds("app", "orders"))).isBetween(0.0, 600.0));

            Clients.poll(consumer, 3 * RECORDS / 2 - 10);
            consumer.commitSync();
            awaitLagOf("app");
        }

        awaitLagOf("app");
        Map<String, Double> samples = scrape();
        assertThat(samples.get(series("kafka_consumergroup_current_offset", "app", "orders"))
                        + samples.get(lag("app", "orders")))
                .isEqualTo(2 * RECORDS);
        assertThat(samples).containsEntry("rivulet_metrics_groups", 1.0);
    }

    @Test
    void secondsAreTheAgeOfTheOldestRecordThatIsNotConsumed() throws Exception {
        long now = System.currentTimeMillis();
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(
                    producer,
                    List.of(
                            new ProducerRecord<>("orders", 0, now - 900_000, null, "a"),
                            new ProducerRecord<>("orders", 1, now - 500_000, null, "b"),
                            new ProducerRecord<>("orders", 1, now, null, "c")));
        }
        commit("app", "orders", 0, 1);
        commit("app", "orders", 1, 0);
        await(samples -> assertThat(samples.get(seconds("app", "orders"))).isBetween(500.0, 890.0));

        commit("app", "orders", 0, 0);
        await(samples -> assertThat(samples.get(seconds("app", "orders"))).isBetween(900.0, 2000.0));

        commit("app", "orders", 0, 1);
        commit("app", "orders", 1, 2);
        await(samples -> assertThat(samples).containsEntry(seconds("app", "orders"), 0.0));
    }

    @Test
    void anEmptyGroupWithOffsetsHasLagAlsoAfterARestart() throws Exception {
        produce("orders", RECORDS);
        commit("nobody", "orders", 2, 11);
        awaitLagOf("nobody");

        stop();
        open();
        awaitLagOf("nobody");
        produce("orders", 9);
        awaitLagOf("nobody");
        assertThat(scrape()).containsEntry(lag("nobody", "orders"), 22.0);
    }

    @Test
    void aDeletedTopicsLagGoesAndATopicOfTheSameNameBeginsAnew() throws Exception {
        produce("orders", RECORDS);
        commit("app", "orders", 0, 5);
        awaitLagOf("app");

        admin.deleteTopics(List.of("orders")).all().get();
        await(samples -> assertThat(samples).doesNotContainKey(lag("app", "orders")));
        create("orders");
        produce("orders", 3);
        await(samples -> assertThat(samples).doesNotContainKey(lag("app", "orders")));

        commit("app", "orders", 0, 0);
        awaitLagOf("app");
        assertThat(scrape()).containsEntry(lag("app", "orders"), 1.0);
    }

    @Test
    void deletedOffsetsAndGroupsHaveNoLag() throws Exception {
        produce("orders", RECORDS);
        commit("app", "orders", 0, 5);
        commit("app", "orders", 1, 7);
        commit("gone", "orders", 0, 5);
        awaitLagOf("app");
        awaitLagOf("gone");

        admin.deleteConsumerGroupOffsets("app", Set.of(new TopicPartition("orders", 0)))
                .all()
                .get();
        admin.deleteConsumerGroups(List.of("gone")).all().get();

        awaitLagOf("app");
        await(samples ->
                assertThat(samples).containsEntry(lag("app", "orders"), 23.0).doesNotContainKey(lag("gone", "orders")));
    }

    @Test
    void offsetsOfATransactionCountFromItsCommit() throws Exception {
        produce("orders", RECORDS);
        commit("app", "orders", 0, 5);
        TopicPartition partition = new TopicPartition("orders", 0);
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("transactional.id", "t"));
                KafkaConsumer<String, String> consumer = Clients.consumer(broker, Map.of("group.id", "app"))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.sendOffsetsToTransaction(Map.of(partition, new OffsetAndMetadata(20)), consumer.groupMetadata());
            await(samples -> assertThat(samples).containsEntry(lag("app", "orders"), 25.0));
            producer.commitTransaction();
        }

        await(samples -> assertThat(samples).containsEntry(lag("app", "orders"), 10.0));
        awaitLagOf("app");
    }

    @Test
    void manyGroupsHaveABoundedNumberOfSeriesWhoseSumIsRight() throws Exception {
        produce("orders", RECORDS);
        double sum = 0;
        for (int i = 0; i < 20; i++) {
            commit("group-" + i, "orders", 0, i);
            sum += RECORDS / PARTITIONS - i;
        }

        double wanted = sum;
        await(samples -> {
            List<String> lags = samples.keySet().stream()
                    .filter(key -> key.startsWith("kafka_consumergroup_lag{"))
                    .toList();
            assertThat(lags).hasSize(9).contains(lag("(other)", "(other)"));
            assertThat(lags.stream().mapToDouble(samples::get).sum()).isEqualTo(wanted);
        });
    }

    @Test
    void aGroupIdMayBeAnyText() throws Exception {
        String group = "a\"b\\c\nd\u0000\u00e9\ud83d\ude00} 1";
        commit(group, "orders", 0, 0);

        await(samples ->
                assertThat(samples).containsEntry(lag("a\\\"b\\\\c\\nd\u0000\u00e9\ud83d\ude00} 1", "orders"), 0.0));
    }
}
