package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of topics act if they are set at the creation, later, or in the broker's configuration. */
@SeveralBrokers
final class RetentionIT {
    private static final int RECORDS = 20;
    private static final long HOUR_MILLIS = 3_600_000;

    @TempDir
    private Path directory;

    @Test
    void oldRecordsAreDeletedWithTheLimitOfTheTopic() throws Exception {
        try (TestBroker broker = TestBroker.start(directory);
                Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(
                            topic("kept", Map.of()),
                            topic("aged", Map.of("retention.ms", "2000")),
                            topic("heavy", Map.of("retention.bytes", "3000")),
                            topic("altered", Map.of())))
                    .all()
                    .get();
            admin.createPartitions(Map.of("aged", NewPartitions.increaseTo(2)))
                    .all()
                    .get();
            for (String name : List.of("kept", "aged", "heavy", "altered")) {
                produceOld(broker, name, 0);
            }
            produceOld(broker, "aged", 1);
            alter(admin, "altered", "retention.ms", "2000");

            awaitStart(admin, "aged", 0, RECORDS);
            awaitStart(admin, "aged", 1, RECORDS);
            awaitStart(admin, "altered", 0, RECORDS);
            // only whole blocks are deleted
            assertThat(start(admin, "heavy", 0)).isZero();
            produceOld(broker, "heavy", 0);
            awaitStart(admin, "heavy", 0, RECORDS);
            assertThat(start(admin, "kept", 0)).isZero();
        }
    }

    @Test
    void limitsOfTheBrokerActOnTopicsWithoutLimits() throws Exception {
        try (TestBroker broker = TestBroker.start(directory);
                Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(
                            topic("plain", Map.of()),
                            topic("own", Map.of("retention.ms", "-1")),
                            topic("sized", Map.of("retention.bytes", "1000000"))))
                    .all()
                    .get();
            for (String name : List.of("plain", "own", "sized")) {
                produceOld(broker, name, 0);
            }
        }
        try (TestBroker broker = TestBroker.start(directory, Map.of("log.retention.ms", "2000"));
                Admin admin = Clients.admin(broker)) {
            awaitStart(admin, "plain", 0, RECORDS);
            awaitStart(admin, "sized", 0, RECORDS);
            assertThat(start(admin, "own", 0)).isZero();
        }
    }

    private static NewTopic topic(String name, Map<String, String> configs) {
        return new NewTopic(name, 1, (short) 1).configs(configs);
    }

    private static void produceOld(TestBroker broker, String topic, int partition) throws Exception {
        long timestamp = System.currentTimeMillis() - HOUR_MILLIS;
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            records.add(new ProducerRecord<>(topic, partition, timestamp, null, "x".repeat(1000)));
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("batch.size", 0))) {
            Clients.sendAll(producer, records);
        }
    }

    private static void alter(Admin admin, String topic, String key, String value) throws Exception {
        Collection<AlterConfigOp> operations = List.of(new AlterConfigOp(new ConfigEntry(key, value), OpType.SET));
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), operations))
                .all()
                .get();
    }

    private static void awaitStart(Admin admin, String topic, int partition, long offset) {
        await().atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(start(admin, topic, partition)).isEqualTo(offset));
    }

    private static long start(Admin admin, String topic, int partition) throws Exception {
        TopicPartition place = new TopicPartition(topic, partition);
        return admin.listOffsets(Map.of(place, OffsetSpec.earliest()))
                .partitionResult(place)
                .get()
                .offset();
    }
}
