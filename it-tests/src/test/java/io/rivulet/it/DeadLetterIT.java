package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters of share groups (KIP-1191), with Kafka's own clients. */
@SeveralBrokers
final class DeadLetterIT {
    private static final String TOPIC = "t";
    private static final String LETTERS = "dlq.t";
    private static final int PARTITIONS = 3;
    private static final int RECORDS = 30;
    private static final String REJECTED = "Offset rejected by client.";
    private static final String EXHAUSTED = "Offset delivery count exceeded the threshold.";

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory);
        admin = Clients.admin(broker);
        admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                .all()
                .get();
        set(ConfigResource.Type.GROUP, "g", "share.auto.offset.reset", "earliest");
        set(ConfigResource.Type.GROUP, "g", "share.delivery.count.limit", "2");
        set(ConfigResource.Type.GROUP, "g", "errors.deadletterqueue.topic.name", LETTERS);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private void set(ConfigResource.Type type, String name, String key, String value)
            throws ExecutionException, InterruptedException {
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(type, name), List.of(change)))
                .all()
                .get();
    }

    private void createLetters(Map<String, String> more) throws ExecutionException, InterruptedException {
        Map<String, String> configs = new HashMap<>(more);
        configs.putIfAbsent(TopicConfig.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE_CONFIG, "true");
        admin.createTopics(List.of(new NewTopic(LETTERS, 2, (short) 1).configs(configs)))
                .all()
                .get();
    }

    private void copyRecords() throws ExecutionException, InterruptedException {
        set(ConfigResource.Type.GROUP, "g", "errors.deadletterqueue.copy.record.enable", "true");
    }

    private void write(int count, String padding) throws Exception {
        try (KafkaProducer<String, String> producer =
                Clients.producer(broker, Map.of("compression.type", "gzip", "linger.ms", 20))) {
            Clients.sendAll(
                    producer,
                    IntStream.range(0, count)
                            .mapToObj(i -> new ProducerRecord<String, String>(
                                    TOPIC,
                                    i % PARTITIONS,
                                    "k" + i,
                                    "v" + i + padding,
                                    List.of(new RecordHeader("h", ("h" + i).getBytes(StandardCharsets.UTF_8)))))
                            .toList());
        }
    }

    private KafkaShareConsumer<String, String> member() {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", broker.bootstrapServers());
        config.put("group.id", "g");
        config.put("share.acknowledgement.mode", "explicit");
        KafkaShareConsumer<String, String> member =
                new KafkaShareConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        member.subscribe(List.of(TOPIC));
        return member;
    }

    /** Polls and acknowledges until so many deliveries were acknowledged. */
    private static List<ConsumerRecord<String, String>> consume(
            KafkaShareConsumer<String, String> member,
            int deliveries,
            Function<ConsumerRecord<String, String>, AcknowledgeType> verdict) {
        List<ConsumerRecord<String, String>> got = new ArrayList<>();
        long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
        while (got.size() < deliveries) {
            assertThat(System.nanoTime() - deadlineNanos)
                    .as("got %d", got.size())
                    .isNegative();
            for (ConsumerRecord<String, String> record : member.poll(Duration.ofMillis(200))) {
                member.acknowledge(record, verdict.apply(record));
                got.add(record);
            }
            assertThat(member.commitSync().values()).allMatch(failure -> failure.isEmpty());
        }
        return got;
    }

    private List<ConsumerRecord<String, String>> letters(int partitions) {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(i -> new TopicPartition(LETTERS, i))
                .toList();
        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, Map.of())) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long count = consumer.endOffsets(all).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            return Clients.poll(consumer, (int) count);
        }
    }

    /** By partition and offset of the record. */
    private static Map<String, ConsumerRecord<String, String>> byPlace(List<ConsumerRecord<String, String>> letters) {
        Map<String, ConsumerRecord<String, String>> all = new TreeMap<>();
        letters.forEach(letter -> assertThat(all.put(
                        header(letter, "__dlq.errors.partition") + "-" + header(letter, "__dlq.errors.offset"), letter))
                .isNull());
        return all;
    }

    private static String header(ConsumerRecord<String, String> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static List<String> headerNames(ConsumerRecord<String, String> record) {
        return StreamSupport.stream(record.headers().spliterator(), false)
                .map(header -> header.key())
                .toList();
    }

    private static String place(ConsumerRecord<String, String> record) {
        return record.partition() + "-" + record.offset();
    }

    @Test
    void aRejectedRecordHasALetterThatNamesIt() throws Exception {
        createLetters(Map.of());
        write(RECORDS, "");
        List<ConsumerRecord<String, String>> got;
        long before = System.currentTimeMillis();
        try (KafkaShareConsumer<String, String> member = member()) {
            got = consume(
                    member,
                    RECORDS,
                    record -> record.offset() % 2 == 0 ? AcknowledgeType.REJECT : AcknowledgeType.ACCEPT);
        }

        Map<String, ConsumerRecord<String, String>> letters = byPlace(letters(2));
        assertThat(letters.keySet())
                .containsExactlyInAnyOrderElementsOf(got.stream()
                        .filter(record -> record.offset() % 2 == 0)
                        .map(DeadLetterIT::place)
                        .toList());
        letters.forEach((place, letter) -> {
            assertThat(letter.key()).isNull();
            assertThat(letter.value()).isNull();
            assertThat(headerNames(letter))
                    .containsExactly(
                            "__dlq.errors.topic",
                            "__dlq.errors.partition",
                            "__dlq.errors.offset",
                            "__dlq.errors.group",
                            "__dlq.errors.delivery.count",
                            "__dlq.errors.message");
            assertThat(header(letter, "__dlq.errors.topic")).isEqualTo(TOPIC);
            assertThat(header(letter, "__dlq.errors.group")).isEqualTo("g");
            assertThat(header(letter, "__dlq.errors.delivery.count")).isEqualTo("1");
            assertThat(header(letter, "__dlq.errors.message")).isEqualTo(REJECTED);
            assertThat(letter.partition()).isEqualTo(Integer.parseInt(header(letter, "__dlq.errors.partition")) % 2);
            assertThat(letter.timestamp()).isBetween(before, System.currentTimeMillis());
        });
    }

    @Test
    void aLetterCanHaveTheKeyTheValueAndTheHeadersOfItsRecord() throws Exception {
        createLetters(Map.of("compression.type", "lz4"));
        copyRecords();
        write(RECORDS, "");
        List<ConsumerRecord<String, String>> got;
        try (KafkaShareConsumer<String, String> member = member()) {
            got = consume(member, RECORDS, record -> AcknowledgeType.REJECT);
        }

        Map<String, ConsumerRecord<String, String>> letters = byPlace(letters(2));
        assertThat(letters).hasSize(RECORDS);
        for (ConsumerRecord<String, String> record : got) {
            ConsumerRecord<String, String> letter = letters.get(place(record));
            assertThat(letter.key()).isEqualTo(record.key());
            assertThat(letter.value()).isEqualTo(record.value());
            assertThat(headerNames(letter)).hasSize(7).startsWith("h", "__dlq.errors.topic");
            assertThat(header(letter, "h")).isEqualTo(header(record, "h"));
        }
    }

    @Test
    void aRecordThatWasDeliveredTooOftenHasALetter() throws Exception {
        createLetters(Map.of());
        write(RECORDS, "");
        try (KafkaShareConsumer<String, String> member = member()) {
            consume(member, 2 * RECORDS, record -> AcknowledgeType.RELEASE);
        }

        List<ConsumerRecord<String, String>> letters = letters(2);
        assertThat(byPlace(letters)).hasSize(RECORDS);
        assertThat(letters).allSatisfy(letter -> {
            assertThat(header(letter, "__dlq.errors.delivery.count")).isEqualTo("2");
            assertThat(header(letter, "__dlq.errors.message")).isEqualTo(EXHAUSTED);
        });
    }

    @Test
    void theTopicIsCreatedIfTheBrokerAllowsIt() throws Exception {
        set(ConfigResource.Type.BROKER, "", "errors.deadletterqueue.auto.create.topics.enable", "true");
        write(RECORDS, "");
        try (KafkaShareConsumer<String, String> member = member()) {
            consume(member, RECORDS, record -> AcknowledgeType.REJECT);
        }

        int partitions = admin.describeTopics(List.of(LETTERS))
                .allTopicNames()
                .get()
                .get(LETTERS)
                .partitions()
                .size();
        assertThat(byPlace(letters(partitions))).hasSize(RECORDS);
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, LETTERS);
        assertThat(admin.describeConfigs(List.of(topic))
                        .all()
                        .get()
                        .get(topic)
                        .get(TopicConfig.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE_CONFIG)
                        .value())
                .isEqualTo("true");
    }

    @Test
    void withoutATopicRecordsAreArchivedAllTheSame() throws Exception {
        rejectAllAndExpectNothingMore();
        assertThat(admin.listTopics().names().get()).doesNotContain(LETTERS);
    }

    @Test
    void aTopicThatDoesNotAllowItGetsNoLetters() throws Exception {
        createLetters(Map.of(TopicConfig.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE_CONFIG, "false"));
        rejectAllAndExpectNothingMore();
        assertThat(letters(2)).isEmpty();
    }

    @Test
    void aTopicWithAnotherPrefixGetsNoLetters() throws Exception {
        set(ConfigResource.Type.BROKER, "", "errors.deadletterqueue.topic.name.prefix", "dead.");
        createLetters(Map.of());
        rejectAllAndExpectNothingMore();
        assertThat(letters(2)).isEmpty();
    }

    @Test
    void aCompactedTopicGetsNoLettersWithoutKeys() throws Exception {
        createLetters(Map.of("cleanup.policy", "compact"));
        rejectAllAndExpectNothingMore();
        assertThat(letters(2)).isEmpty();
    }

    /** The member goes on with records that are written later. */
    private void rejectAllAndExpectNothingMore() throws Exception {
        write(RECORDS, "");
        try (KafkaShareConsumer<String, String> member = member()) {
            consume(member, RECORDS, record -> AcknowledgeType.REJECT);
            write(PARTITIONS, "later");
            assertThat(consume(member, PARTITIONS, record -> AcknowledgeType.ACCEPT))
                    .allMatch(record -> record.value().endsWith("later"));
        }
    }

    @Test
    void aLetterLeavesOutARecordThatIsTooLargeForTheTopic() throws Exception {
        createLetters(Map.of("max.message.bytes", "1000"));
        copyRecords();
        write(PARTITIONS, "x".repeat(2000));
        try (KafkaShareConsumer<String, String> member = member()) {
            consume(member, PARTITIONS, record -> AcknowledgeType.REJECT);
        }

        List<ConsumerRecord<String, String>> letters = letters(2);
        assertThat(byPlace(letters)).hasSize(PARTITIONS);
        assertThat(letters).allMatch(letter -> letter.value() == null);
    }

    @Test
    void manyLargeRecordsHaveTheirLetters() throws Exception {
        createLetters(Map.of("max.message.bytes", "100000"));
        copyRecords();
        int count = 90;
        write(count, "x".repeat(40_000));
        try (KafkaShareConsumer<String, String> member = member()) {
            consume(member, count, record -> AcknowledgeType.REJECT);
        }

        List<ConsumerRecord<String, String>> letters = letters(2);
        assertThat(byPlace(letters)).hasSize(count);
        assertThat(letters).allMatch(letter -> letter.value().length() > 40_000);
    }

    @Test
    void aLetterAboutADeletedRecordHasNoneOfIt() throws Exception {
        createLetters(Map.of());
        copyRecords();
        write(RECORDS, "");
        try (KafkaShareConsumer<String, String> member = member()) {
            List<ConsumerRecord<String, String>> got = new ArrayList<>();
            while (got.isEmpty()) {
                member.poll(Duration.ofMillis(200)).forEach(got::add);
            }
            TopicPartition partition = new TopicPartition(TOPIC, got.get(0).partition());
            long last = got.stream()
                    .filter(record -> record.partition() == partition.partition())
                    .mapToLong(ConsumerRecord::offset)
                    .max()
                    .orElseThrow();
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(last)))
                    .all()
                    .get();
            got.forEach(record -> member.acknowledge(record, AcknowledgeType.REJECT));
            assertThat(member.commitSync().values()).allMatch(failure -> failure.isEmpty());

            Map<String, ConsumerRecord<String, String>> letters = byPlace(letters(2));
            assertThat(letters).hasSameSizeAs(got);
            for (ConsumerRecord<String, String> record : got) {
                boolean isDeleted = record.partition() == partition.partition() && record.offset() < last;
                assertThat(letters.get(place(record)).value()).isEqualTo(isDeleted ? null : record.value());
            }
        }
    }

    @Test
    void anInternalTopicCanNotGetLetters() {
        assertThatThrownBy(() ->
                        set(ConfigResource.Type.GROUP, "g", "errors.deadletterqueue.topic.name", "__consumer_offsets"))
                .hasCauseInstanceOf(InvalidConfigurationException.class);
    }
}
