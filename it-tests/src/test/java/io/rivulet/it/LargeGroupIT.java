package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups with many partitions, and groups with large state. */
@SeveralBrokers
final class LargeGroupIT {
    private static final Map<String, String> BROKER = Map.of("group.initial.rebalance.delay.ms", "0");
    /** With 100,000, Kafka's consumer needs a minute and 2 GB: {@code -Drivulet.partitions=100000}. */
    private static final int PARTITIONS = Integer.getInteger("rivulet.partitions", 10_000);

    private static final int RECORDS = 100;
    private static final short JOIN_VERSION = 3;
    private static final short SYNC_VERSION = 3;
    private static final short DESCRIBE_VERSION = 5;
    private static final short HEARTBEAT_VERSION = 1;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void oneMemberConsumesManyPartitionsCommitsThemAllAndGoesOnAfterARestart(String protocol) throws Exception {
        try (TestBroker broker = TestBroker.start(directory, BROKER)) {
            try (Admin admin = Clients.admin(broker)) {
                admin.createTopics(List.of(new NewTopic("wide", PARTITIONS, (short) 1)))
                        .all()
                        .get();
            }
            produce(broker, 0);
            assertThat(consumeAndCommit(broker, protocol)).containsExactlyInAnyOrderElementsOf(values(0));
        }
        try (TestBroker broker = TestBroker.start(directory, BROKER)) {
            produce(broker, RECORDS);
            assertThat(consumeAndCommit(broker, protocol)).containsExactlyInAnyOrderElementsOf(values(RECORDS));
        }
    }

    private static List<String> values(int first) {
        return IntStream.range(first, first + RECORDS).mapToObj(String::valueOf).toList();
    }

    /** Produces a record to each of many partitions, far from one another. */
    private static void produce(TestBroker broker, int first) throws Exception {
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (String value : values(first)) {
            records.add(new ProducerRecord<>("wide", records.size() * (PARTITIONS / RECORDS), null, value));
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, records);
        }
    }

    /** Returns the records of the only member of the group. */
    private List<String> consumeAndCommit(TestBroker broker, String protocol) throws Exception {
        Programs.Outcome outcome = Programs.run(
                directory,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Path.of("src", "test", "resources", "clients", "WideGroup.java").toString(),
                broker.bootstrapServers(),
                "wide",
                protocol,
                String.valueOf(PARTITIONS),
                String.valueOf(RECORDS));
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        return outcome.out().lines().toList();
    }

    @Test
    void aClassicGroupLargerThanALogGroupIsUnchangedAfterARestart() throws Exception {
        byte[] metadata = new byte[5 << 20];
        byte[] assignment = new byte[6 << 20];
        new Random(5).nextBytes(metadata);
        new Random(6).nextBytes(assignment);
        String member;
        try (TestBroker broker = TestBroker.start(directory, BROKER);
                Wire wire = new Wire(broker)) {
            JoinGroupResponseData joined = (JoinGroupResponseData) wire.ask(
                    ApiKeys.JOIN_GROUP,
                    JOIN_VERSION,
                    new JoinGroupRequestData()
                            .setGroupId("g")
                            .setSessionTimeoutMs(60_000)
                            .setRebalanceTimeoutMs(60_000)
                            .setProtocolType("custom")
                            .setProtocols(new JoinGroupRequestProtocolCollection(List.of(new JoinGroupRequestProtocol()
                                            .setName("p")
                                            .setMetadata(metadata))
                                    .iterator())));
            assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.NONE);
            member = joined.memberId();
            SyncGroupResponseData synced = (SyncGroupResponseData) wire.ask(
                    ApiKeys.SYNC_GROUP,
                    SYNC_VERSION,
                    new SyncGroupRequestData()
                            .setGroupId("g")
                            .setGenerationId(joined.generationId())
                            .setMemberId(member)
                            .setAssignments(List.of(new SyncGroupRequestAssignment()
                                    .setMemberId(member)
                                    .setAssignment(assignment))));
            assertThat(Errors.forCode(synced.errorCode())).isEqualTo(Errors.NONE);
            assertThat(synced.assignment()).isEqualTo(assignment);
        }
        try (TestBroker broker = TestBroker.start(directory, BROKER);
                Wire wire = new Wire(broker)) {
            DescribeGroupsResponseData described = (DescribeGroupsResponseData) wire.ask(
                    ApiKeys.DESCRIBE_GROUPS, DESCRIBE_VERSION, new DescribeGroupsRequestData().setGroups(List.of("g")));
            assertThat(described.groups().get(0).groupState()).isEqualTo("Stable");
            DescribedGroupMember restored = described.groups().get(0).members().get(0);
            assertThat(restored.memberId()).isEqualTo(member);
            assertThat(restored.memberMetadata()).isEqualTo(metadata);
            assertThat(restored.memberAssignment()).isEqualTo(assignment);
        }
    }

    @Test
    void aConsumerGroupWithChangesLargerThanALogGroupContinuesAfterARestart() throws Exception {
        int members = 12;
        int[] epochs = new int[members];
        try (TestBroker broker = TestBroker.start(directory, BROKER);
                Wire wire = new Wire(broker)) {
            // all in flight: while the first is written, the others become one entry
            for (int i = 0; i < members; i++) {
                wire.send(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        HEARTBEAT_VERSION,
                        heartbeat(i, 0)
                                .setRebalanceTimeoutMs(60_000)
                                .setTopicPartitions(List.of())
                                .setSubscribedTopicNames(longNames(i)));
            }
            for (int i = 0; i < members; i++) {
                ConsumerGroupHeartbeatResponseData joined = (ConsumerGroupHeartbeatResponseData)
                        wire.receive(ApiKeys.CONSUMER_GROUP_HEARTBEAT, HEARTBEAT_VERSION, i + 1);
                assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.NONE);
                epochs[i] = joined.memberEpoch();
            }
        }
        try (TestBroker broker = TestBroker.start(directory, BROKER);
                Wire wire = new Wire(broker)) {
            for (int i = 0; i < members; i++) {
                ConsumerGroupHeartbeatResponseData alive = (ConsumerGroupHeartbeatResponseData)
                        wire.ask(ApiKeys.CONSUMER_GROUP_HEARTBEAT, HEARTBEAT_VERSION, heartbeat(i, epochs[i]));
                assertThat(Errors.forCode(alive.errorCode())).as("member %d", i).isEqualTo(Errors.NONE);
            }
        }
    }

    private static ConsumerGroupHeartbeatRequestData heartbeat(int member, int epoch) {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId("g")
                .setMemberId("member-" + member)
                .setMemberEpoch(epoch);
    }

    /** Names of missing topics, about half a million characters. */
    private static List<String> longNames(int member) {
        return IntStream.range(0, 2000)
                .mapToObj(i -> member + "-" + i + "-" + "x".repeat(240))
                .toList();
    }
}
