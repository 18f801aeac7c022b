package io.rivulet.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.Clients;
import io.rivulet.it.SeveralBrokers;
import io.rivulet.it.TestBroker;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MirrorMaker 2 copies records, settings and offsets of groups from one broker to another. */
@Tag("apps")
@SeveralBrokers
final class MirrorMakerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int COUNT = 200;
    private static final int CONSUMED = 120;
    private static final String GROUP = "shipping";
    private static final TopicPartition SOURCE = new TopicPartition("orders", 0);
    private static final TopicPartition TARGET = new TopicPartition("a.orders", 0);

    @TempDir
    private Path directory;

    @Test
    void recordsSettingsAndOffsetsOfGroupsArriveInTheOtherBroker() throws Exception {
        Map<String, String> settings = Map.of("group.initial.rebalance.delay.ms", "0");
        try (TestBroker a = TestBroker.start(directory.resolve("a"), settings);
                TestBroker b = TestBroker.start(directory.resolve("b"), settings);
                Admin ofA = Clients.admin(a);
                Admin ofB = Clients.admin(b)) {
            NewTopic orders = new NewTopic("orders", 2, (short) 1)
                    .configs(Map.of("cleanup.policy", "compact", "max.message.bytes", "500000"));
            ofA.createTopics(List.of(orders)).all().get();
            produce(a, 0, COUNT);
            try (AppProcess mirror = startMirror(a, b)) {
                await(mirror, () -> assertThat(end(ofB, TARGET)).isEqualTo(COUNT));
                consumeAndCommit(a, GROUP, SOURCE, CONSUMED);
                await(mirror, () -> assertThat(committed(ofB, TARGET)).isPositive());
                assertThat(committed(ofB, TARGET)).isLessThanOrEqualTo(CONSUMED);

                produce(a, COUNT, 2 * COUNT);
                ofA.incrementalAlterConfigs(Map.of(
                                topic("orders"),
                                List.of(new AlterConfigOp(
                                        new ConfigEntry("retention.ms", "7200000"), AlterConfigOp.OpType.SET))))
                        .all()
                        .get();
                ofA.createPartitions(Map.of("orders", NewPartitions.increaseTo(3)))
                        .all()
                        .get();
                await(mirror, () -> {
                    assertThat(partitions(ofB, "a.orders")).isEqualTo(3);
                    assertThat(config(ofB, "a.orders", "retention.ms")).isEqualTo("7200000");
                    assertThat(end(ofB, TARGET)).isEqualTo(2 * COUNT);
                });

                assertThat(config(ofB, "a.orders", "cleanup.policy")).isEqualTo("compact");
                assertThat(config(ofB, "a.orders", "max.message.bytes")).isEqualTo("500000");
                assertThat(texts(Clients.read(b, TARGET, 2 * COUNT, Map.of())))
                        .isEqualTo(texts(Clients.read(a, SOURCE, 2 * COUNT, Map.of())));
                assertThat(mirror.all()).doesNotContain(" ERROR ");
            }
            requireTheGroupGoesOn(b, committed(ofB, TARGET));
        }
    }

    /** In the other broker, the group starts at its offset or a little before. */
    private static void requireTheGroupGoesOn(TestBroker b, long committed) {
        try (KafkaConsumer<String, String> consumer = Clients.consumer(b, Map.of("group.id", GROUP))) {
            consumer.subscribe(List.of("a.orders"));
            List<ConsumerRecord<String, String>> rest = Clients.poll(consumer, 2 * COUNT - (int) committed);
            assertThat(rest)
                    .map(ConsumerRecord::value)
                    .containsExactlyElementsOf(IntStream.range((int) committed, 2 * COUNT)
                            .mapToObj(i -> "order " + i)
                            .toList());
        }
    }

    private AppProcess startMirror(TestBroker a, TestBroker b) throws Exception {
        Properties settings = new Properties();
        settings.putAll(Map.ofEntries(
                Map.entry("clusters", "a,b"),
                Map.entry("a.bootstrap.servers", a.bootstrapServers()),
                Map.entry("b.bootstrap.servers", b.bootstrapServers()),
                Map.entry("a->b.enabled", "true"),
                Map.entry("a->b.topics", "orders"),
                Map.entry("plugin.discovery", "service_load"),
                Map.entry("replication.factor", "1"),
                Map.entry("checkpoints.topic.replication.factor", "1"),
                Map.entry("heartbeats.topic.replication.factor", "1"),
                Map.entry("offset-syncs.topic.replication.factor", "1"),
                Map.entry("config.storage.replication.factor", "1"),
                Map.entry("offset.storage.replication.factor", "1"),
                Map.entry("status.storage.replication.factor", "1"),
                Map.entry("offset.lag.max", "0"),
                Map.entry("refresh.topics.interval.seconds", "1"),
                Map.entry("refresh.groups.interval.seconds", "1"),
                Map.entry("sync.topic.configs.interval.seconds", "1"),
                Map.entry("sync.topic.acls.interval.seconds", "1"),
                Map.entry("emit.checkpoints.interval.seconds", "1"),
                Map.entry("sync.group.offsets.enabled", "true"),
                Map.entry("sync.group.offsets.interval.seconds", "1"),
                Map.entry("offset.flush.interval.ms", "500")));
        StringWriter text = new StringWriter();
        settings.store(text, null);
        Path properties = Files.writeString(directory.resolve("mm2.properties"), text.toString());
        return AppProcess.start(directory, "org.apache.kafka.connect.mirror.MirrorMaker", properties.toString());
    }

    private static void await(AppProcess mirror, ThrowingRunnable wanted) throws Exception {
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .untilAsserted(wanted);
        } catch (RuntimeException e) {
            throw new AssertionError("MirrorMaker said " + mirror.lastWords(), e);
        }
    }

    private static void produce(TestBroker broker, int from, int to) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(
                    producer,
                    IntStream.range(from, to)
                            .mapToObj(i -> new ProducerRecord<>("orders", 0, "k" + i, "order " + i))
                            .toList());
        }
    }

    private static void consumeAndCommit(TestBroker broker, String group, TopicPartition partition, int count) {
        try (KafkaConsumer<String, String> consumer = Clients.consumer(
                broker, Map.of("group.id", group, "auto.offset.reset", "earliest", "enable.auto.commit", "false"))) {
            consumer.subscribe(List.of(partition.topic()));
            Clients.poll(consumer, count);
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(count)));
        }
    }

    private static List<String> texts(List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .map(record -> record.timestamp() + " " + record.key() + " " + record.value())
                .toList();
    }

    private static long end(Admin admin, TopicPartition partition) throws Exception {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private static int partitions(Admin admin, String topic) throws Exception {
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions()
                .size();
    }

    private static long committed(Admin admin, TopicPartition partition) throws Exception {
        return Optional.ofNullable(admin.listConsumerGroupOffsets(GROUP)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .get(partition))
                .map(OffsetAndMetadata::offset)
                .orElse(0L);
    }

    private static String config(Admin admin, String topic, String key) throws Exception {
        Config config = admin.describeConfigs(List.of(topic(topic))).all().get().get(topic(topic));
        return config.get(key).value();
    }

    private static ConfigResource topic(String name) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }
}
