package io.rivulet.it;

import static io.rivulet.it.StateRecords.OFFSETS;
import static io.rivulet.it.StateRecords.TRANSACTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupCurrentMemberAssignmentKey;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupCurrentMemberAssignmentValue;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupMemberMetadataKey;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupMemberMetadataValue;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupMetadataKey;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupMetadataValue;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMemberKey;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMemberValue;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMetadataKey;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMetadataValue;
import org.apache.kafka.coordinator.group.modern.MemberState;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogKey;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups and transactions can be read as Kafka's internal topics. */
@SeveralBrokers
final class InternalTopicsIT {
    private static final String TOPIC = "orders";
    private static final TopicPartition FIRST = new TopicPartition(TOPIC, 0);
    private static final TopicPartition SECOND = new TopicPartition(TOPIC, 1);

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        open();
        admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get();
    }

    private void open() throws IOException {
        broker = TestBroker.start(directory, Map.of("group.initial.rebalance.delay.ms", "0"));
        admin = Clients.admin(broker);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private void restart() throws IOException {
        stop();
        open();
    }

    private void commit(String group, TopicPartition partition, long offset) throws Exception {
        admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset, "text")))
                .all()
                .get();
    }

    private StateRecords reader(String topic) {
        return new StateRecords(broker.bootstrapServers(), topic);
    }

    private Map<String, Long> offsetsByAdmin(String group) throws Exception {
        Map<String, Long> offsets = new TreeMap<>();
        admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .forEach((partition, offset) -> offsets.put(partition.toString(), offset.offset()));
        return offsets;
    }

    private static void until(BooleanSupplier condition, StateRecords reader) {
        long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadlineNanos).isNegative();
            reader.poll();
        }
    }

    // ---- listed and described ----

    @Test
    void theyAreListedAsInternalAndDescribed() throws Exception {
        commit("a", FIRST, 1);
        try (KafkaProducer<String, String> producer = producer("t")) {
            producer.initTransactions();
        }

        assertThat(admin.listTopics().names().get()).containsExactly(TOPIC);
        assertThat(admin.listTopics(new ListTopicsOptions().listInternal(true))
                        .names()
                        .get())
                .containsExactlyInAnyOrder(TOPIC, OFFSETS, TRANSACTIONS);
        for (String name : List.of(OFFSETS, TRANSACTIONS)) {
            TopicDescription described =
                    admin.describeTopics(List.of(name)).allTopicNames().get().get(name);
            assertThat(described.isInternal()).isTrue();
            assertThat(described.partitions()).hasSize(50);
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
            assertThat(admin.describeConfigs(List.of(resource))
                            .all()
                            .get()
                            .get(resource)
                            .get("cleanup.policy")
                            .value())
                    .isEqualTo("compact");
        }
    }

    @Test
    void aConsumerThatSubscribesToAPatternDoesNotGetThem() throws Exception {
        commit("a", FIRST, 1);
        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, Map.of("group.id", "all"))) {
            consumer.subscribe(Pattern.compile(".*"));
            long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
            while (consumer.assignment().isEmpty()) {
                assertThat(System.nanoTime() - deadlineNanos).isNegative();
                consumer.poll(Duration.ofMillis(100));
            }

            assertThat(consumer.assignment()).containsExactlyInAnyOrder(FIRST, SECOND);
        }
    }

    // ---- offsets and groups ----

    @Test
    void committedOffsetsAreReadWithKafkasFormat() throws Exception {
        for (int i = 0; i < 200; i++) {
            commit("group-" + i, i % 2 == 0 ? FIRST : SECOND, i);
        }
        commit("group-7", FIRST, 77);
        try (StateRecords reader = reader(OFFSETS).readToEnd()) {
            for (int i = 0; i < 200; i++) {
                assertThat(reader.offsets("group-" + i)).isEqualTo(offsetsByAdmin("group-" + i));
            }
            assertThat(reader.offset("group-7", TOPIC, 0).metadata()).isEqualTo("text");
            assertThat(reader.offset("group-7", TOPIC, 0).commitTimestamp()).isPositive();
            reader.partitionOf.forEach((key, partition) -> {
                if (key instanceof org.apache.kafka.coordinator.group.generated.OffsetCommitKey offset) {
                    assertThat(partition).isEqualTo((offset.group().hashCode() & Integer.MAX_VALUE) % 50);
                }
            });
        }
    }

    @Test
    void aReaderThatStaysGetsNewCommitsAndDeletions() throws Exception {
        commit("stays", FIRST, 1);
        commit("goes", FIRST, 1);
        try (StateRecords reader = reader(OFFSETS).readToEnd()) {
            commit("stays", FIRST, 2);
            until(() -> Map.of("orders-0", 2L).equals(reader.offsets("stays")), reader);
            commit("stays", SECOND, 3);
            reader.readToEnd(); // what is acknowledged is before the end
            assertThat(reader.offsets("stays")).isEqualTo(Map.of("orders-0", 2L, "orders-1", 3L));
            admin.deleteConsumerGroups(List.of("goes")).all().get();
            until(() -> reader.offsets("goes").isEmpty(), reader);
            admin.deleteConsumerGroupOffsets("stays", Set.of(FIRST)).all().get();
            until(() -> Map.of("orders-1", 3L).equals(reader.offsets("stays")), reader);
        }
        try (StateRecords another = reader(OFFSETS).readToEnd()) {
            assertThat(another.offsets("stays")).isEqualTo(Map.of("orders-1", 3L));
            assertThat(another.offsets("goes")).isEmpty();
        }
    }

    @Test
    void classicGroupsAreReadWithTheirMembers() throws Exception {
        try (KafkaConsumer<String, String> consumer =
                        Clients.consumer(broker, Map.of("group.id", "classic", "client.id", "me"));
                StateRecords reader = joined(consumer)) {
            until(() -> reader.classicGroup("classic") != null, reader);

            assertThat(reader.classicGroup("classic").protocolType()).isEqualTo("consumer");
            assertThat(reader.classicGroup("classic").generation()).isPositive();
            assertThat(reader.classicGroup("classic").members()).hasSize(1);
            assertThat(reader.classicGroup("classic").members().get(0).clientId())
                    .isEqualTo("me");
            assertThat(reader.classicGroup("classic").members().get(0).memberId())
                    .isEqualTo(consumer.groupMetadata().memberId());
            assertThat(reader.classicGroup("classic").members().get(0).assignment())
                    .isNotEmpty();
        }
    }

    @Test
    void consumerGroupsAreReadWithTheirMembers() throws Exception {
        try (KafkaConsumer<String, String> consumer = newConsumer("new", "me");
                StateRecords reader = joined(consumer)) {
            String id = consumer.groupMetadata().memberId();
            until(() -> assignedTo(reader, "new", id).equals(List.of(0, 1)), reader);

            ConsumerGroupMemberMetadataValue member = reader.value(memberKey("new", id));
            assertThat(member.clientId()).isEqualTo("me");
            assertThat(member.subscribedTopicNames()).containsExactly(TOPIC);
            assertThat(member.subscribedTopicRegex()).isEmpty();
            assertThat(member.classicMemberMetadata()).isNull();
            ConsumerGroupMetadataValue group = reader.value(groupKey("new"));
            ConsumerGroupTargetAssignmentMetadataValue target = reader.value(targetEpochKey("new"));
            ConsumerGroupCurrentMemberAssignmentValue current = reader.value(currentKey("new", id));
            assertThat(group.epoch()).isPositive();
            assertThat(target.assignmentEpoch()).isEqualTo(group.epoch());
            assertThat(current.memberEpoch()).isEqualTo(group.epoch());
            assertThat(current.state()).isEqualTo(MemberState.STABLE.value());
            assertThat(current.assignedPartitions().get(0).assignmentEpochs())
                    .containsExactly(group.epoch(), group.epoch());
            assertThat(targetOf(reader, "new", id)).containsExactly(0, 1);

            consumer.unsubscribe();
            until(() -> reader.keysOf("new").equals(Set.of(groupKey("new"), targetEpochKey("new"))), reader);
            admin.deleteConsumerGroups(List.of("new")).all().get();
            until(() -> reader.keysOf("new").isEmpty(), reader);
        }
    }

    @Test
    void afterARestartConsumerGroupsAreReadWithTheirAssignments() throws Exception {
        KafkaConsumer<String, String> gone = newConsumer("new", "me");
        String id;
        try (StateRecords reader = joined(gone)) {
            id = gone.groupMetadata().memberId();
            until(() -> assignedTo(reader, "new", id).equals(List.of(0, 1)), reader);
        }
        restart(); // on another port: no heartbeat arrives
        try (StateRecords reader = reader(OFFSETS).readToEnd()) {
            assertThat(assignedTo(reader, "new", id)).containsExactly(0, 1);
            assertThat(targetOf(reader, "new", id)).containsExactly(0, 1);
        } finally {
            gone.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    @Test
    void classicMembersOfAConsumerGroupAreReadAsSuch() throws Exception {
        try (KafkaConsumer<String, String> first = newConsumer("mixed", "first");
                StateRecords reader = joined(first);
                KafkaConsumer<String, String> second =
                        Clients.consumer(broker, Map.of("group.id", "mixed", "client.id", "second"))) {
            second.subscribe(List.of(TOPIC));
            until(
                    () -> {
                        first.poll(Duration.ofMillis(50));
                        second.poll(Duration.ofMillis(50));
                        return !second.assignment().isEmpty();
                    },
                    reader);
            reader.readToEnd();

            ConsumerGroupMemberMetadataValue member =
                    reader.value(memberKey("mixed", second.groupMetadata().memberId()));
            assertThat(member.clientId()).isEqualTo("second");
            assertThat(member.classicMemberMetadata().sessionTimeoutMs()).isPositive();
            assertThat(member.classicMemberMetadata().supportedProtocols())
                    .extracting(ConsumerGroupMemberMetadataValue.ClassicProtocol::name)
                    .contains("range");
        }
    }

    private KafkaConsumer<String, String> newConsumer(String group, String clientId) {
        return Clients.consumer(broker, Map.of("group.id", group, "client.id", clientId, "group.protocol", "consumer"));
    }

    private static ConsumerGroupMetadataKey groupKey(String group) {
        return new ConsumerGroupMetadataKey().setGroupId(group);
    }

    private static ConsumerGroupTargetAssignmentMetadataKey targetEpochKey(String group) {
        return new ConsumerGroupTargetAssignmentMetadataKey().setGroupId(group);
    }

    private static ConsumerGroupMemberMetadataKey memberKey(String group, String memberId) {
        return new ConsumerGroupMemberMetadataKey().setGroupId(group).setMemberId(memberId);
    }

    private static ConsumerGroupCurrentMemberAssignmentKey currentKey(String group, String memberId) {
        return new ConsumerGroupCurrentMemberAssignmentKey().setGroupId(group).setMemberId(memberId);
    }

    private static List<Integer> assignedTo(StateRecords reader, String group, String memberId) {
        ConsumerGroupCurrentMemberAssignmentValue current = reader.value(currentKey(group, memberId));
        return current == null
                ? List.of()
                : current.assignedPartitions().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .toList();
    }

    private static List<Integer> targetOf(StateRecords reader, String group, String memberId) {
        ConsumerGroupTargetAssignmentMemberValue target = reader.value(
                new ConsumerGroupTargetAssignmentMemberKey().setGroupId(group).setMemberId(memberId));
        return target.topicPartitions().stream()
                .flatMap(topic -> topic.partitions().stream())
                .toList();
    }

    private StateRecords joined(KafkaConsumer<String, String> consumer) {
        consumer.subscribe(List.of(TOPIC));
        long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
        while (consumer.assignment().isEmpty()) {
            assertThat(System.nanoTime() - deadlineNanos).isNegative();
            consumer.poll(Duration.ofMillis(100));
        }
        return reader(OFFSETS).readToEnd();
    }

    // ---- over a restart ----

    @Test
    void afterARestartOffsetsRiseAndTheStateIsTheSame() throws Exception {
        commit("a", FIRST, 5);
        commit("b", FIRST, 6);
        Map<TopicPartition, Long> before;
        try (StateRecords reader = reader(OFFSETS).readToEnd()) {
            commit("a", FIRST, 7);
            before = reader.readToEnd().ends();
        }
        restart();
        admin.deleteConsumerGroups(List.of("b")).all().get();

        try (StateRecords reader = reader(OFFSETS).readToEnd()) {
            assertThat(reader.offsets("a")).isEqualTo(Map.of("orders-0", 7L));
            assertThat(reader.offsets("b")).isEmpty();
            reader.ends()
                    .forEach((partition, end) ->
                            assertThat(end).as("%s", partition).isGreaterThanOrEqualTo(before.get(partition)));
        }
    }

    @Test
    void afterAKillOffsetsRiseAndTheStateIsTheSame() throws Exception {
        Path scratch = Files.createDirectory(directory.resolve("killed"));
        Map<TopicPartition, Long> before = Map.of();
        try (BrokerProcesses brokers = BrokerProcesses.start(scratch);
                Admin killed = Clients.admin(brokers.servers())) {
            for (int round = 0; round < 3; round++) {
                if (round == 0) {
                    killed.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1)))
                            .all()
                            .get();
                }
                for (int i = 0; i < 20; i++) {
                    killed.alterConsumerGroupOffsets(
                                    "group-" + i, Map.of(FIRST, new OffsetAndMetadata(100 * round + i)))
                            .all()
                            .get();
                }
                try (StateRecords reader = new StateRecords(brokers.servers(), OFFSETS).readToEnd()) {
                    for (int i = 0; i < 20; i++) {
                        assertThat(reader.offsets("group-" + i)).isEqualTo(Map.of("orders-0", 100L * round + i));
                    }
                    Map<TopicPartition, Long> last = before;
                    before = reader.ends();
                    before.forEach((partition, end) ->
                            assertThat(end).isGreaterThanOrEqualTo(last.getOrDefault(partition, 0L)));
                }
                brokers.kill();
                brokers.startAgain();
            }
        }
    }

    // ---- transactions ----

    @Test
    void transactionsAreReadWithKafkasFormat() throws Exception {
        try (KafkaProducer<String, String> producer = producer("t")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TOPIC, "a")).get();
            try (StateRecords reader = reader(TRANSACTIONS).readToEnd()) {
                assertThat(transaction(reader).transactionStatus()).isEqualTo((byte) 1);
                producer.commitTransaction();
                until(() -> transaction(reader).transactionStatus() == 4, reader);
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(TOPIC, "a")).get();
                until(() -> transaction(reader).transactionStatus() == 1, reader);
                producer.abortTransaction();
                until(() -> transaction(reader).transactionStatus() == 5, reader);
                assertThat(transaction(reader).producerId())
                        .isEqualTo(admin.describeTransactions(List.of("t"))
                                .all()
                                .get()
                                .get("t")
                                .producerId());
            }
        }
    }

    @Test
    void offsetsOfATransactionAreReadWhenItIsCommitted() throws Exception {
        try (KafkaProducer<String, String> producer = producer("t");
                KafkaConsumer<String, String> consumer =
                        Clients.consumer(broker, Map.of("group.id", "txn", "enable.auto.commit", false));
                StateRecords reader = joined(consumer)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.sendOffsetsToTransaction(Map.of(FIRST, new OffsetAndMetadata(9)), consumer.groupMetadata());
            assertThat(reader.readToEnd().offsets("txn")).doesNotContainEntry("orders-0", 9L);
            producer.commitTransaction();

            until(() -> reader.offsets("txn").equals(Map.of("orders-0", 9L)), reader);
        }
    }

    private KafkaProducer<String, String> producer(String transactionalId) {
        return Clients.producer(broker, Map.of("transactional.id", transactionalId));
    }

    private static TransactionLogValue transaction(StateRecords reader) {
        return (TransactionLogValue) reader.state.get(new TransactionLogKey().setTransactionalId("t"));
    }

    // ---- refused ----

    @Test
    void clientsDoNotChangeThem() throws Exception {
        commit("a", FIRST, 1);
        TopicPartition partition = new TopicPartition(OFFSETS, 0);
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, OFFSETS);

        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(OFFSETS, "k", "v"))
                            .get())
                    .hasCauseInstanceOf(InvalidTopicException.class);
        }
        refused(admin.deleteTopics(List.of(OFFSETS)).all(), InvalidRequestException.class);
        refused(admin.createTopics(List.of(new NewTopic(OFFSETS, 1, (short) 1))).all(), TopicExistsException.class);
        refused(
                admin.createTopics(List.of(new NewTopic(TRANSACTIONS, 1, (short) 1)))
                        .all(),
                InvalidRequestException.class);
        refused(
                admin.createPartitions(Map.of(OFFSETS, NewPartitions.increaseTo(60)))
                        .all(),
                InvalidRequestException.class);
        refused(
                admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(0)))
                        .all(),
                InvalidTopicException.class);
        refused(
                admin.incrementalAlterConfigs(Map.of(
                                resource,
                                List.of(new AlterConfigOp(
                                        new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET))))
                        .all(),
                InvalidRequestException.class);
    }

    @Test
    void noMarkerIsWrittenThere() throws Exception {
        commit("a", FIRST, 1);

        refused(
                admin.abortTransaction(new AbortTransactionSpec(new TopicPartition(OFFSETS, 0), 7, (short) 0, 0))
                        .all(),
                InvalidTopicException.class);
        try (Wire wire = new Wire(broker)) {
            AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData()
                    .setV3AndBelowTransactionalId("payments")
                    .setV3AndBelowProducerId(7)
                    .setV3AndBelowTopics(new AddPartitionsToTxnTopicCollection(
                            List.of(partitions(OFFSETS), partitions(TOPIC)).iterator()));

            AddPartitionsToTxnResponseData response =
                    (AddPartitionsToTxnResponseData) wire.ask(ApiKeys.ADD_PARTITIONS_TO_TXN, (short) 3, request);

            assertThat(response.resultsByTopicV3AndBelow())
                    .flatExtracting(AddPartitionsToTxnTopicResult::resultsByPartition)
                    .extracting(result -> Errors.forCode(result.partitionErrorCode()))
                    .containsExactly(Errors.INVALID_TOPIC_EXCEPTION, Errors.OPERATION_NOT_ATTEMPTED);
        }
    }

    private static AddPartitionsToTxnTopic partitions(String topic) {
        return new AddPartitionsToTxnTopic().setName(topic).setPartitions(List.of(0));
    }

    private static void refused(KafkaFuture<?> result, Class<? extends Throwable> refusal) {
        assertThatThrownBy(result::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(refusal);
    }
}
