package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers to members of the consumer protocol (KIP-848), request by request. */
@SeveralBrokers
final class ConsumerGroupAnswersIT {
    /** The first version of OffsetCommit for members of the consumer protocol. */
    private static final short COMMIT_VERSION = 9;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Wire wire;

    private void start(Map<String, String> settings) throws Exception {
        broker = TestBroker.start(directory, settings);
        wire = new Wire(broker);
    }

    private void createTopics() throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("t", 4, (short) 1), new NewTopic("u", 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    @AfterEach
    void stop() throws IOException {
        wire.close();
        broker.close();
    }

    @Test
    void aCommitWithAnEarlierEpochIsAcceptedWhileTheMemberHasTheQueue() throws Exception {
        start(Map.of());
        createTopics();
        assertThat(join("a", "t").memberEpoch()).isEqualTo(2);
        join("b", "u");
        assertThat(heartbeat(member("a", 2)).memberEpoch()).isEqualTo(3);
        assertThat(commit("a", 2, COMMIT_VERSION)).isEqualTo(Errors.NONE);

        stop();
        start(Map.of());

        assertThat(commit("a", 2, COMMIT_VERSION)).isEqualTo(Errors.NONE);
        assertThat(commit("a", 1, COMMIT_VERSION)).isEqualTo(Errors.STALE_MEMBER_EPOCH);
        assertThat(commit("b", 2, COMMIT_VERSION)).isEqualTo(Errors.STALE_MEMBER_EPOCH);
        assertThat(commit("a", 3, (short) 8)).isEqualTo(Errors.UNSUPPORTED_VERSION);
    }

    @Test
    void aSubscriptionWithoutARegularExpressionHasAnEmptyOne() throws Exception {
        start(Map.of());
        createTopics();
        join("a", "t");
        assertThat(described().groups().get(0).members().get(0).subscribedTopicRegex())
                .isEmpty();
    }

    @Test
    void theConsumerProtocolCanBeDisabled() throws Exception {
        start(Map.of("group.coordinator.rebalance.protocols", "classic"));
        assertThat(Errors.forCode(join("a", "t").errorCode())).isEqualTo(Errors.UNSUPPORTED_VERSION);
        assertThat(Errors.forCode(described().groups().get(0).errorCode())).isEqualTo(Errors.UNSUPPORTED_VERSION);
    }

    @Test
    void aClassicMemberDoesNotJoinAConsumerGroupWithoutMigration() throws Exception {
        start(Map.of("group.consumer.migration.policy", "disabled"));
        createTopics();
        join("a", "t");
        JoinGroupResponseData refused = ask(
                ApiKeys.JOIN_GROUP,
                (short) 9,
                new JoinGroupRequestData()
                        .setGroupId("g")
                        .setMemberId("c")
                        .setProtocolType("consumer")
                        .setSessionTimeoutMs(10_000)
                        .setRebalanceTimeoutMs(10_000)
                        .setProtocols(new JoinGroupRequestProtocolCollection(
                                List.of(new JoinGroupRequestProtocol().setName("range"))
                                        .iterator())),
                JoinGroupResponseData.class);
        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL);
        assertThat(refused.memberId()).isEmpty();
    }

    @Test
    void anOffsetDeleteNeedsAGroup() throws Exception {
        start(Map.of());
        OffsetDeleteResponseData refused = ask(
                ApiKeys.OFFSET_DELETE,
                (short) 0,
                new OffsetDeleteRequestData().setGroupId(""),
                OffsetDeleteResponseData.class);
        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_GROUP_ID);
    }

    // ---- helpers ----

    private static ConsumerGroupHeartbeatRequestData member(String memberId, int epoch) {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId("g")
                .setMemberId(memberId)
                .setMemberEpoch(epoch);
    }

    private ConsumerGroupHeartbeatResponseData join(String memberId, String topic) throws IOException {
        return heartbeat(member(memberId, 0)
                .setRebalanceTimeoutMs(60_000)
                .setSubscribedTopicNames(List.of(topic))
                .setTopicPartitions(List.of()));
    }

    private ConsumerGroupHeartbeatResponseData heartbeat(ConsumerGroupHeartbeatRequestData request) throws IOException {
        return ask(ApiKeys.CONSUMER_GROUP_HEARTBEAT, (short) 1, request, ConsumerGroupHeartbeatResponseData.class);
    }

    private ConsumerGroupDescribeResponseData described() throws IOException {
        return ask(
                ApiKeys.CONSUMER_GROUP_DESCRIBE,
                (short) 1,
                new ConsumerGroupDescribeRequestData().setGroupIds(List.of("g")),
                ConsumerGroupDescribeResponseData.class);
    }

    /** Commits partition 0 of t. */
    private Errors commit(String memberId, int epoch, short version) throws IOException {
        OffsetCommitResponseData response = ask(
                ApiKeys.OFFSET_COMMIT,
                version,
                new OffsetCommitRequestData()
                        .setGroupId("g")
                        .setMemberId(memberId)
                        .setGenerationIdOrMemberEpoch(epoch)
                        .setTopics(List.of(new OffsetCommitRequestTopic()
                                .setName("t")
                                .setPartitions(List.of(new OffsetCommitRequestPartition().setCommittedOffset(42))))),
                OffsetCommitResponseData.class);
        return Errors.forCode(response.topics().get(0).partitions().get(0).errorCode());
    }

    private <T extends ApiMessage> T ask(ApiKeys key, short version, ApiMessage request, Class<T> type)
            throws IOException {
        return type.cast(wire.ask(key, version, request));
    }
}
