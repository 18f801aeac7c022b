package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Classic groups with Kafka's own consumer. */
@SeveralBrokers
final class GroupsIT {
    private static final Map<String, String> BROKER =
            Map.of("group.initial.rebalance.delay.ms", "100", "group.min.session.timeout.ms", "1000");
    /** Settings of a member that closes without leaving the group. */
    private static final Map<String, Object> SILENT = Map.of("internal.leave.group.on.close", false);

    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory, BROKER);
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    @Test
    void aGroupContinuesAtItsCommittedOffsetsAlsoAfterARestart() throws Exception {
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

    @ParameterizedTest
    @ValueSource(classes = {RangeAssignor.class, CooperativeStickyAssignor.class})
    void membersComeLeaveAndDieAndEachPartitionAlwaysFindsOneOwner(Class<?> assignor) throws Exception {
        createTopic("shared", 6);
        Map<String, Object> settings = Map.of("partition.assignment.strategy", assignor.getName());
        Map<String, Object> mortal = new HashMap<>(settings);
        mortal.putAll(SILENT);
        try (GroupMember first = member("team", settings, "shared")) {
            awaitShares(6, first);
            GroupMember second = member("team", settings, "shared");
            try (GroupMember third = member("team", mortal, "shared")) {
                awaitShares(6, first, second, third);
                second.close();
                awaitShares(6, first, third);
            }
            awaitShares(6, first);
            produce("shared", 6, 0, 60);
            await().untilAsserted(() -> assertThat(first.values).hasSize(60).doesNotHaveDuplicates());
        }
    }

    @Test
    void aStaticMemberThatReturnsInTimeKeepsItsPartitionsWithoutARebalance() throws Exception {
        createTopic("shared", 4);
        Map<String, Object> one = Map.of("group.instance.id", "one", "session.timeout.ms", "20000");
        Map<String, Object> two = Map.of("group.instance.id", "two", "session.timeout.ms", "20000");
        try (GroupMember stays = member("team", one, "shared")) {
            Set<String> before;
            int generation;
            try (GroupMember goes = member("team", two, "shared")) {
                awaitShares(4, stays, goes);
                before = goes.assignment();
                generation = goes.generation();
            }
            try (GroupMember back = member("team", two, "shared")) {
                await().untilAsserted(() -> assertThat(back.assignment()).isEqualTo(before));
                assertThat(back.generation()).isEqualTo(generation);
                assertThat(stays.generation()).isEqualTo(generation);

                try (GroupMember impostor = member("team", two, "shared")) {
                    await().untilAsserted(
                                    () -> assertThat(back.failure()).isInstanceOf(FencedInstanceIdException.class));
                    assertThat(impostor.failure()).isNull();
                }
            }
        }
    }

    @Test
    void aPatternFindsNewTopics() throws Exception {
        createTopic("device-1", 1);
        createTopic("other", 1);
        try (GroupMember member = new GroupMember(
                broker, "watchers", Map.of(), consumer -> consumer.subscribe(Pattern.compile("device-.*")))) {
            await().untilAsserted(() -> assertThat(member.assignment()).containsExactly("device-1-0"));
            createTopic("device-2", 2);
            await().untilAsserted(() ->
                    assertThat(member.assignment()).containsExactly("device-1-0", "device-2-0", "device-2-1"));
        }
    }

    @Test
    void membersKeepTheirGenerationAfterARestartOfTheBroker() throws Exception {
        int port = broker.addresses().get(0).getPort();
        createTopic("shared", 2);
        // Otherwise the client may forget the topics while the broker is down, and join again.
        Map<String, Object> patient = Map.of("session.timeout.ms", "20000", "metadata.recovery.strategy", "none");
        try (GroupMember member = member("team", patient, "shared")) {
            awaitShares(2, member);
            int generation = member.generation();
            broker.close();
            Map<String, String> samePort = new HashMap<>(BROKER);
            samePort.put("listeners", "PLAINTEXT://localhost:" + port);
            broker = TestBroker.start(directory, samePort);
            produce("shared", 2, 0, 10);

            await().untilAsserted(() -> assertThat(member.values).hasSize(10));
            assertThat(member.generation()).isEqualTo(generation);
        }
    }

    private GroupMember member(String group, Map<String, Object> settings, String topic) {
        return new GroupMember(broker, group, settings, consumer -> consumer.subscribe(List.of(topic)));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Clients.PATIENCE);
    }

    /** Waits until each partition has one owner and each member has partitions. */
    private static void awaitShares(int partitions, GroupMember... members) {
        await().untilAsserted(() -> {
            List<String> owned = new ArrayList<>();
            for (GroupMember member : members) {
                assertThat(member.assignment()).isNotEmpty();
                owned.addAll(member.assignment());
            }
            assertThat(owned).hasSize(partitions).doesNotHaveDuplicates();
        });
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

    /** Produces the numbers from {@code from}, to the partitions in turn. */
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
