package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics and offsets with Kafka's own admin client. */
@SeveralBrokers
final class TopicsIT {
    private static final short ONE = 1;
    private static final short MORE_THAN_BROKERS = (short) (TestBroker.COUNT + 1);

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory);
        admin = Clients.admin(broker);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private void restart() throws IOException {
        stop();
        start();
    }

    @Test
    void aTopicKeepsItsIdAfterARestart() throws Exception {
        CreateTopicsResult created =
                admin.createTopics(List.of(new NewTopic("kept", 7, ONE).configs(Map.of("retention.ms", "1234"))));
        Uuid id = created.topicId("kept").get();
        assertThat(created.numPartitions("kept").get()).isEqualTo(7);
        assertThat(created.config("kept").get().get("retention.ms").value()).isEqualTo("1234");

        restart();

        assertThat(describe("kept").topicId()).isEqualTo(id);
        assertThat(describe("kept").partitions()).hasSize(7).allSatisfy(partition -> {
            assertThat(partition.leader().port()).isEqualTo(broker.leaderPort());
            assertThat(partition.isr()).hasSize(1);
        });
        assertThat(admin.describeTopics(TopicCollection.ofTopicIds(List.of(id)))
                        .allTopicIds()
                        .get())
                .containsKey(id);
    }

    @Test
    void aTopicIsDeletedAndItsNameIsFree() throws Exception {
        create("gone", 3);
        Uuid id = describe("gone").topicId();
        int queues = broker.queues();

        admin.deleteTopics(List.of("gone")).all().get();

        assertThat(admin.listTopics().names().get()).isEmpty();
        assertRefused(admin.deleteTopics(List.of("gone")).all(), UnknownTopicOrPartitionException.class);
        assertRefused(
                admin.deleteTopics(TopicCollection.ofTopicIds(List.of(id))).all(), UnknownTopicIdException.class);
        create("gone", 2);
        assertThat(describe("gone").topicId()).isNotEqualTo(id);
        restart();
        assertThat(describe("gone").partitions()).hasSize(2);
        assertThat(broker.queues()).isEqualTo(queues - 1);
    }

    @Test
    void aTopicOfAHundredThousandPartitionsIsUsable() throws Exception {
        create("wide", 100_000);
        admin.listTopics().names().get();

        assertThat(broker.queues()).isEqualTo(100_000);
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>("wide", 99_999, "k", "v")));
        }
        restart();
        assertThat(Clients.read(broker, new TopicPartition("wide", 99_999), 1, Map.of()))
                .hasSize(1);
    }

    @Test
    void manyTopicsAreListedAndDescribedInPages() throws Exception {
        List<String> names = IntStream.range(0, 3000)
                .mapToObj(i -> String.format(Locale.ROOT, "topic-%04d", i))
                .toList();
        admin.createTopics(names.stream()
                        .map(name -> new NewTopic(name, 1, (short) 1))
                        .toList())
                .all()
                .get();

        assertThat(admin.listTopics().names().get()).containsExactlyInAnyOrderElementsOf(names);

        List<String> described = new ArrayList<>();
        Cursor cursor = null;
        try (Wire wire = new Wire(broker)) {
            do {
                DescribeTopicPartitionsResponseData page = (DescribeTopicPartitionsResponseData) wire.ask(
                        ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
                        (short) 0,
                        new DescribeTopicPartitionsRequestData()
                                .setCursor(cursor)
                                .setResponsePartitionLimit(1300));
                page.topics().forEach(topic -> described.add(topic.name()));
                cursor = page.nextCursor() == null
                        ? null
                        : new Cursor()
                                .setTopicName(page.nextCursor().topicName())
                                .setPartitionIndex(page.nextCursor().partitionIndex());
            } while (cursor != null);
        }
        assertThat(described).isEqualTo(names);
    }

    @Test
    void theSameNameTwiceIsRefused() throws Exception {
        create("taken", 1);

        assertRefused(admin.createTopics(List.of(new NewTopic("taken", 1, ONE))).all(), TopicExistsException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "a b", "a/b", "ä", "a:b"})
    void aNameThatKafkaRefusesIsRefused(String name) {
        assertRefused(admin.createTopics(List.of(new NewTopic(name, 1, ONE))).all(), InvalidTopicException.class);
    }

    @Test
    void aNameHasAtMost249Characters() throws Exception {
        create("x".repeat(249), 1);

        assertRefused(
                admin.createTopics(List.of(new NewTopic("x".repeat(250), 1, ONE)))
                        .all(),
                InvalidTopicException.class);
    }

    @Test
    void invalidNumbersAreRefused() {
        assertRefused(
                admin.createTopics(List.of(new NewTopic("a", 1, MORE_THAN_BROKERS)))
                        .all(),
                InvalidReplicationFactorException.class);
        assertRefused(admin.createTopics(List.of(new NewTopic("b", 0, ONE))).all(), InvalidPartitionsException.class);
        assertRefused(
                admin.createTopics(List.of(new NewTopic("c", Integer.MAX_VALUE, ONE)))
                        .all(),
                InvalidPartitionsException.class);
        assertRefused(
                admin.createTopics(List.of(new NewTopic("d", Map.of(0, List.of(1, (int) MORE_THAN_BROKERS)))))
                        .all(),
                InvalidReplicaAssignmentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cleanup.policy=squeeze",
                "retention.ms=soon",
                "no.such.config=1",
                "compression.type=best",
                "compression.gzip.level=10"
            })
    void aConfigThatWouldNotActIsRefused(String config) {
        String[] keyAndValue = config.split("=", -1);

        assertRefused(
                admin.createTopics(List.of(
                                new NewTopic("configured", 1, ONE).configs(Map.of(keyAndValue[0], keyAndValue[1]))))
                        .all(),
                InvalidConfigurationException.class);
    }

    @Test
    void validateOnlyCreatesNothing() throws Exception {
        admin.createTopics(List.of(new NewTopic("dry", 1, ONE)), new CreateTopicsOptions().validateOnly(true))
                .all()
                .get();

        assertThat(admin.listTopics().names().get()).isEmpty();
        assertThat(broker.queues()).isZero();
    }

    @Test
    void oneInvalidTopicDoesNotAffectTheOthers() throws Exception {
        CreateTopicsResult created =
                admin.createTopics(List.of(new NewTopic("good", 1, ONE), new NewTopic("b@d", 1, ONE)));

        created.values().get("good").get();
        assertRefused(created.values().get("b@d"), InvalidTopicException.class);
    }

    @Test
    void defaultsAreThoseOfTheBroker() throws Exception {
        CreateTopicsResult created =
                admin.createTopics(List.of(new NewTopic("default", Optional.empty(), Optional.empty())));

        assertThat(created.numPartitions("default").get()).isEqualTo(1);
        assertThat(created.replicationFactor("default").get()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "zstd"})
    void offsetsAreFoundByTheirTime(String codec) throws Exception {
        create("timed", 1);
        try (KafkaProducer<String, String> producer =
                Clients.producer(broker, Map.of("batch.size", 1, "compression.type", codec))) {
            Clients.sendAll(
                    producer,
                    List.of(
                            new ProducerRecord<>("timed", 0, 1000L, "a", "a"),
                            new ProducerRecord<>("timed", 0, 3000L, "b", "b"),
                            new ProducerRecord<>("timed", 0, 2000L, "c", "c")));
        }

        assertThat(offset("timed", OffsetSpec.earliest()).offset()).isZero();
        assertThat(offset("timed", OffsetSpec.latest()).offset()).isEqualTo(3);
        assertThat(offset("timed", OffsetSpec.forTimestamp(0)).offset()).isZero();
        assertThat(offset("timed", OffsetSpec.forTimestamp(1001)).offset()).isEqualTo(1);
        assertThat(offset("timed", OffsetSpec.forTimestamp(3001)).offset()).isEqualTo(-1);
        assertThat(offset("timed", OffsetSpec.maxTimestamp()).offset()).isEqualTo(1);
        assertThat(offset("timed", OffsetSpec.maxTimestamp()).timestamp()).isEqualTo(3000);
    }

    private ListOffsetsResultInfo offset(String topic, OffsetSpec spec) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, spec))
                .partitionResult(partition)
                .get();
    }

    private void create(String name, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, partitions, ONE))).all().get();
    }

    private TopicDescription describe(String name) throws Exception {
        return admin.describeTopics(List.of(name)).allTopicNames().get().get(name);
    }

    private static void assertRefused(KafkaFuture<?> future, Class<? extends Throwable> why) {
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(why);
    }
}
