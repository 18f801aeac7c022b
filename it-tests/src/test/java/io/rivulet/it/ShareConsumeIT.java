package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of a share group, consumed with Kafka's own client. */
@SeveralBrokers
final class ShareConsumeIT {
    private static final int RECORDS = 300;

    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory);
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("t", 3, (short) 1))).all().get();
            ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "g");
            admin.incrementalAlterConfigs(Map.of(
                            group,
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(
                    producer,
                    IntStream.range(0, RECORDS)
                            .mapToObj(i -> new ProducerRecord<String, String>("t", i % 3, null, "v" + i))
                            .toList());
        }
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private KafkaShareConsumer<String, String> consumer() {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", broker.bootstrapServers());
        config.put("group.id", "g");
        config.put("share.acknowledgement.mode", "explicit");
        KafkaShareConsumer<String, String> consumer =
                new KafkaShareConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of("t"));
        return consumer;
    }

    /** Accepts the records that have not this ending, and releases the others, until it has accepted so many. */
    private static List<String> consume(KafkaShareConsumer<String, String> consumer, int count, String notYet) {
        List<String> accepted = new ArrayList<>();
        long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
        while (accepted.size() < count) {
            assertThat(System.nanoTime() - deadlineNanos)
                    .as("accepted %d of %d", accepted.size(), count)
                    .isNegative();
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                boolean accepts = !record.value().endsWith(notYet)
                        || record.deliveryCount().orElse((short) 0) > 1;
                consumer.acknowledge(record, accepts ? AcknowledgeType.ACCEPT : AcknowledgeType.RELEASE);
                if (accepts) {
                    accepted.add(record.value());
                }
            }
            assertThat(consumer.commitSync().values()).allMatch(failure -> failure.isEmpty());
        }
        return accepted;
    }

    @Test
    void eachRecordIsAcceptedOnce() {
        try (KafkaShareConsumer<String, String> consumer = consumer()) {
            assertThat(consume(consumer, RECORDS, "7"))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).toList());
        }
    }

    @Test
    void whatWasAcceptedIsNotDeliveredAgainAfterARestart() throws IOException {
        List<String> before;
        try (KafkaShareConsumer<String, String> consumer = consumer()) {
            before = consume(consumer, RECORDS / 3, "none");
        }
        broker.close();
        broker = TestBroker.start(directory);
        List<String> all = new ArrayList<>(before);
        try (KafkaShareConsumer<String, String> consumer = consumer()) {
            all.addAll(consume(consumer, RECORDS - before.size(), "none"));
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).toList());
    }
}
