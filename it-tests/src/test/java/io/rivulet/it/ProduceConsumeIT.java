package io.rivulet.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's own producer and consumer, with their default settings. */
@SeveralBrokers
final class ProduceConsumeIT {
    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory, Map.of("num.partitions", "3"));
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void recordsComeBackAsTheyWereSentInOrder(String codec) throws Exception {
        int count = 2000;
        try (KafkaProducer<String, String> producer =
                Clients.producer(broker, Map.of("compression.type", codec, "batch.size", 4096))) {
            List<ProducerRecord<String, String>> toSend = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ProducerRecord<String, String> record = new ProducerRecord<>(
                        "orders",
                        1,
                        1_700_000_000_000L + i,
                        i % 3 == 0 ? null : "key-" + i,
                        i % 5 == 0 ? null : value(i));
                record.headers()
                        .add("number", String.valueOf(i).getBytes(UTF_8))
                        .add("empty", null);
                toSend.add(record);
            }
            Clients.sendAll(producer, toSend);
        }

        List<ConsumerRecord<String, String>> records =
                Clients.read(broker, new TopicPartition("orders", 1), count, Map.of());

        assertThat(records).hasSize(count);
        for (int i = 0; i < count; i++) {
            ConsumerRecord<String, String> record = records.get(i);
            assertThat(record.offset()).isEqualTo(i);
            assertThat(record.timestamp()).isEqualTo(1_700_000_000_000L + i);
            assertThat(record.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
            assertThat(record.key()).isEqualTo(i % 3 == 0 ? null : "key-" + i);
            assertThat(record.value()).isEqualTo(i % 5 == 0 ? null : value(i));
            assertThat(new String(record.headers().lastHeader("number").value(), UTF_8))
                    .isEqualTo(String.valueOf(i));
            assertThat(record.headers().lastHeader("empty").value()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "all"})
    void everyKindOfAcknowledgementWorks(String acks) throws Exception {
        boolean idempotent = acks.equals("all");
        try (KafkaProducer<String, String> producer =
                Clients.producer(broker, Map.of("acks", acks, "enable.idempotence", idempotent))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                sent.add(producer.send(new ProducerRecord<>("acks", 0, null, value(i))));
            }
            producer.flush();
            for (int i = 0; i < 100; i++) {
                assertThat(sent.get(i).get().offset()).isEqualTo(acks.equals("0") ? -1 : i);
            }
        }

        assertThat(Clients.read(broker, new TopicPartition("acks", 0), 100, Map.of()))
                .extracting(ConsumerRecord::value)
                .last()
                .isEqualTo(value(99));
    }

    @Test
    void acknowledgedRecordsAreThereAfterARestart() throws Exception {
        produce("kept", 500);
        String clusterId = clusterId();

        broker.close();
        start();

        assertThat(Clients.read(broker, new TopicPartition("kept", 0), 500, Map.of()))
                .extracting(ConsumerRecord::value)
                .containsExactlyElementsOf(values(500));
        assertThat(clusterId()).isEqualTo(clusterId);
        produce("kept", 1);
        assertThat(Clients.read(broker, new TopicPartition("kept", 0), 501, Map.of()))
                .hasSize(501);
    }

    @Test
    void aWaitingConsumerIsWokenByAnAppend() throws Exception {
        produce("woken", 1);
        KafkaConsumer<String, String> consumer = Clients.consumer(
                broker,
                Map.of(
                        "fetch.max.wait.ms", 120_000, // longer than the timeout of the test
                        "request.timeout.ms", 150_000,
                        "auto.offset.reset", "earliest"));
        try {
            consumer.assign(List.of(new TopicPartition("woken", 0)));
            Clients.poll(consumer, 1);
            consumer.poll(Duration.ofMillis(100)); // leaves a fetch waiting in the broker

            produce("woken", 1);

            assertThat(Clients.poll(consumer, 1)).hasSize(1);
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ZERO)); // its next fetch is waiting already
        }
    }

    @Test
    void aFetchWaitsForItsMinimumBytesOrItsMaximumTime() throws Exception {
        produce("patient", 1);
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer(broker, Map.of("fetch.max.wait.ms", 1000, "fetch.min.bytes", 100_000))) {
            consumer.assign(List.of(new TopicPartition("patient", 0)));
            consumer.seekToBeginning(consumer.assignment());

            assertThat(Clients.poll(consumer, 1)).hasSize(1);
        }
    }

    @Test
    void allRecordsArriveWithSmallFetchLimits() throws Exception {
        produce("limited", 300);

        List<ConsumerRecord<String, String>> records = Clients.read(
                broker,
                new TopicPartition("limited", 0),
                300,
                Map.of("max.partition.fetch.bytes", 1, "fetch.max.bytes", 1));

        assertThat(records).extracting(ConsumerRecord::value).containsExactlyElementsOf(values(300));
    }

    @Test
    void manyPartitionsAreReadTogether() throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("wide", 200, (short) 1)))
                    .all()
                    .get();
        }
        List<TopicPartition> partitions = new ArrayList<>();
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            List<ProducerRecord<String, String>> toSend = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                partitions.add(new TopicPartition("wide", i));
                toSend.add(new ProducerRecord<>("wide", i, "key", value(i)));
            }
            Clients.sendAll(producer, toSend);
        }
        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, Map.of())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);

            assertThat(Clients.poll(consumer, 200))
                    .allSatisfy(record -> assertThat(record.value()).isEqualTo(value(record.partition())));
        }
    }

    @Test
    void anOffsetAfterTheEndIsOutOfRange() throws Exception {
        produce("range", 3);
        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, Map.of("auto.offset.reset", "none"))) {
            consumer.assign(List.of(new TopicPartition("range", 0)));
            consumer.seek(new TopicPartition("range", 0), 1000);

            assertThatThrownBy(() -> Clients.poll(consumer, 1)).isInstanceOf(OffsetOutOfRangeException.class);
        }
    }

    @Test
    void aBatchAboveTheLimitIsRefusedAndOthersAreNot() throws Exception {
        try (KafkaProducer<String, String> producer =
                Clients.producer(broker, Map.of("max.request.size", 10_000_000, "batch.size", 1))) {
            Future<RecordMetadata> large = producer.send(new ProducerRecord<>("sizes", 0, null, "x".repeat(2_000_000)));
            Future<RecordMetadata> small = producer.send(new ProducerRecord<>("sizes", 1, null, "x"));

            assertThatThrownBy(large::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RecordTooLargeException.class);
            assertThat(small.get().offset()).isZero();
        }
    }

    @Test
    void aFullTailSlowsProducersAndLosesNothing() throws Exception {
        broker.close();
        broker = TestBroker.start(
                directory, Map.of("rivulet.waiting.bytes", "1", "rivulet.tail.bytes", String.valueOf(16 << 20)));
        int producers = 4;
        int each = 3000;
        List<KafkaProducer<String, String>> all = new ArrayList<>();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            all.add(Clients.producer(broker, Map.of("linger.ms", 0)));
        }
        for (int i = 0; i < each; i++) {
            for (KafkaProducer<String, String> producer : all) {
                sent.add(producer.send(new ProducerRecord<>("crowded", 0, null, i + "x".repeat(5000))));
            }
        }
        for (Future<RecordMetadata> acknowledgement : sent) {
            acknowledgement.get();
        }
        all.forEach(KafkaProducer::close);

        assertThat(Clients.read(broker, new TopicPartition("crowded", 0), producers * each, Map.of()))
                .hasSize(producers * each);
    }

    @Test
    void logAppendTimeIsTheBrokers() throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("timed", 1, (short) 1)
                            .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
                    .all()
                    .get();
        }
        long before = System.currentTimeMillis();
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("compression.type", "gzip"))) {
            RecordMetadata metadata = producer.send(new ProducerRecord<>("timed", 0, 5L, "k", "v"))
                    .get();
            assertThat(metadata.timestamp()).isBetween(before, System.currentTimeMillis());
        }

        ConsumerRecord<String, String> record = Clients.read(broker, new TopicPartition("timed", 0), 1, Map.of())
                .get(0);
        assertThat(record.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(record.timestamp()).isBetween(before, System.currentTimeMillis());
    }

    private void produce(String topic, int count) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(
                    producer,
                    values(count).stream()
                            .map(value -> new ProducerRecord<String, String>(topic, 0, null, value))
                            .toList());
        }
    }

    private String clusterId() throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            return admin.describeCluster().clusterId().get();
        }
    }

    private static List<String> values(int count) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value(i));
        }
        return values;
    }

    private static String value(int i) {
        return "value-" + i + "-" + "x".repeat(i % 100);
    }
}
