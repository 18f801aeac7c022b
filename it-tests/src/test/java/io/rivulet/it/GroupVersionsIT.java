package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole life of a group with the n-th version of all its APIs, or the last version of those that have fewer. */
@SeveralBrokers
final class GroupVersionsIT {
    private static final byte[] ASSIGNMENT = "yours".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Wire wire;
    private Uuid topicId;
    private int nth;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory, Map.of("group.initial.rebalance.delay.ms", "0"));
        wire = new Wire(broker);
        try (Admin admin = Clients.admin(broker)) {
            topicId = admin.createTopics(List.of(new NewTopic("t", 1, (short) 1)))
                    .topicId("t")
                    .get();
        }
    }

    @AfterEach
    void stop() throws IOException {
        wire.close();
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void aGroupLivesAndEndsInEveryVersion(int versions) throws IOException {
        nth = versions;

        findCoordinator();
        JoinGroupResponseData joined = join();
        assertThat(sync(joined)).isEqualTo(ASSIGNMENT);
        heartbeat(joined);
        commit(joined);
        assertThat(fetch()).isEqualTo(42);
        describe(joined);
        assertThat(listed()).isEqualTo("Stable");
        leave(joined);
        assertThat(listed()).isEqualTo("Empty");
        deleteOffset();
        assertThat(fetch()).isEqualTo(-1);
        deleteGroup();
        assertThat(listed()).isEqualTo("none");
    }

    private short version(ApiKeys key) {
        return (short) Math.min(key.latestVersion(), key.oldestVersion() + nth);
    }

    private <T extends ApiMessage> T ask(ApiKeys key, ApiMessage request, Class<T> type) throws IOException {
        return type.cast(wire.ask(key, version(key), request));
    }

    private void findCoordinator() throws IOException {
        boolean batched = version(ApiKeys.FIND_COORDINATOR) >= 4;
        FindCoordinatorRequestData request = new FindCoordinatorRequestData();
        if (batched) {
            request.setCoordinatorKeys(List.of("g", "h"));
        } else {
            request.setKey("g");
        }
        FindCoordinatorResponseData response =
                ask(ApiKeys.FIND_COORDINATOR, request, FindCoordinatorResponseData.class);
        int port = broker.leaderPort();
        if (batched) {
            assertThat(response.coordinators()).hasSize(2).allSatisfy(one -> {
                assertThat(one.port()).isEqualTo(port);
                assertThat(one.errorCode()).isZero();
            });
        } else {
            assertThat(response.port()).isEqualTo(port);
            assertThat(response.errorCode()).isZero();
        }
    }

    private JoinGroupResponseData join() throws IOException {
        JoinGroupResponseData response = join("");
        if (version(ApiKeys.JOIN_GROUP) >= 4) {
            assertThat(Errors.forCode(response.errorCode())).isEqualTo(Errors.MEMBER_ID_REQUIRED);
            response = join(response.memberId());
        }
        assertThat(Errors.forCode(response.errorCode())).isEqualTo(Errors.NONE);
        assertThat(response.generationId()).isEqualTo(1);
        assertThat(response.leader()).isEqualTo(response.memberId());
        assertThat(response.members()).hasSize(1);
        assertThat(response.protocolName()).isEqualTo("range");
        return response;
    }

    private JoinGroupResponseData join(String memberId) throws IOException {
        return ask(
                ApiKeys.JOIN_GROUP,
                new JoinGroupRequestData()
                        .setGroupId("g")
                        .setMemberId(memberId)
                        .setProtocolType("consumer")
                        .setSessionTimeoutMs(10_000)
                        .setRebalanceTimeoutMs(10_000)
                        .setProtocols(new JoinGroupRequestProtocolCollection(List.of(new JoinGroupRequestProtocol()
                                        .setName("range")
                                        .setMetadata(new byte[] {1, 2}))
                                .iterator())),
                JoinGroupResponseData.class);
    }

    private byte[] sync(JoinGroupResponseData member) throws IOException {
        SyncGroupResponseData response = ask(
                ApiKeys.SYNC_GROUP,
                new SyncGroupRequestData()
                        .setGroupId("g")
                        .setMemberId(member.memberId())
                        .setGenerationId(member.generationId())
                        .setProtocolType(version(ApiKeys.SYNC_GROUP) >= 5 ? "consumer" : null)
                        .setProtocolName(version(ApiKeys.SYNC_GROUP) >= 5 ? "range" : null)
                        .setAssignments(List.of(new SyncGroupRequestAssignment()
                                .setMemberId(member.memberId())
                                .setAssignment(ASSIGNMENT))),
                SyncGroupResponseData.class);
        assertThat(response.errorCode()).isZero();
        return response.assignment();
    }

    private void heartbeat(JoinGroupResponseData member) throws IOException {
        assertThat(ask(
                                ApiKeys.HEARTBEAT,
                                new HeartbeatRequestData()
                                        .setGroupId("g")
                                        .setMemberId(member.memberId())
                                        .setGenerationId(member.generationId()),
                                HeartbeatResponseData.class)
                        .errorCode())
                .isZero();
    }

    private void commit(JoinGroupResponseData member) throws IOException {
        boolean byId = version(ApiKeys.OFFSET_COMMIT) >= 10;
        OffsetCommitResponseData response = ask(
                ApiKeys.OFFSET_COMMIT,
                new OffsetCommitRequestData()
                        .setGroupId("g")
                        .setMemberId(member.memberId())
                        .setGenerationIdOrMemberEpoch(member.generationId())
                        .setTopics(List.of(new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                .setName(byId ? "" : "t")
                                .setTopicId(byId ? topicId : Uuid.ZERO_UUID)
                                .setPartitions(List.of(new OffsetCommitRequestData.OffsetCommitRequestPartition()
                                        .setCommittedOffset(42)
                                        .setCommittedMetadata("note"))))),
                OffsetCommitResponseData.class);
        assertThat(response.topics().get(0).partitions().get(0).errorCode()).isZero();
    }

    private long fetch() throws IOException {
        short version = version(ApiKeys.OFFSET_FETCH);
        OffsetFetchRequestData request = new OffsetFetchRequestData();
        if (version >= 8) {
            request.setGroups(List.of(new OffsetFetchRequestData.OffsetFetchRequestGroup()
                    .setGroupId("g")
                    .setTopics(List.of(new OffsetFetchRequestData.OffsetFetchRequestTopics()
                            .setName(version < 10 ? "t" : "")
                            .setTopicId(version < 10 ? Uuid.ZERO_UUID : topicId)
                            .setPartitionIndexes(List.of(0))))));
        } else {
            request.setGroupId("g")
                    .setTopics(List.of(new OffsetFetchRequestData.OffsetFetchRequestTopic()
                            .setName("t")
                            .setPartitionIndexes(List.of(0))));
        }
        OffsetFetchResponseData response = ask(ApiKeys.OFFSET_FETCH, request, OffsetFetchResponseData.class);
        return version >= 8
                ? response.groups().get(0).topics().get(0).partitions().get(0).committedOffset()
                : response.topics().get(0).partitions().get(0).committedOffset();
    }

    private void describe(JoinGroupResponseData member) throws IOException {
        DescribeGroupsResponseData response = ask(
                ApiKeys.DESCRIBE_GROUPS,
                new DescribeGroupsRequestData().setGroups(List.of("g", "missing")),
                DescribeGroupsResponseData.class);
        assertThat(response.groups().get(0)).satisfies(group -> {
            assertThat(group.groupState()).isEqualTo("Stable");
            assertThat(group.protocolData()).isEqualTo("range");
            assertThat(group.members().get(0).memberId()).isEqualTo(member.memberId());
            assertThat(group.members().get(0).memberAssignment()).isEqualTo(ASSIGNMENT);
            assertThat(group.members().get(0).clientId()).isEqualTo("it");
        });
        Errors missing = version(ApiKeys.DESCRIBE_GROUPS) >= 6 ? Errors.GROUP_ID_NOT_FOUND : Errors.NONE;
        assertThat(Errors.forCode(response.groups().get(1).errorCode())).isEqualTo(missing);
        assertThat(response.groups().get(1).groupState()).isEqualTo("Dead");
    }

    /** The state of the only group, from a description if the version of the list has no states. */
    private String listed() throws IOException {
        ListGroupsResponseData response =
                ask(ApiKeys.LIST_GROUPS, new ListGroupsRequestData(), ListGroupsResponseData.class);
        if (response.groups().isEmpty()) {
            return "none";
        }
        assertThat(response.groups()).singleElement().satisfies(group -> {
            assertThat(group.groupId()).isEqualTo("g");
            assertThat(group.protocolType()).isEqualTo("consumer");
        });
        if (version(ApiKeys.LIST_GROUPS) >= 4) {
            return response.groups().get(0).groupState();
        }
        return ask(
                        ApiKeys.DESCRIBE_GROUPS,
                        new DescribeGroupsRequestData().setGroups(List.of("g")),
                        DescribeGroupsResponseData.class)
                .groups()
                .get(0)
                .groupState();
    }

    private void leave(JoinGroupResponseData member) throws IOException {
        LeaveGroupRequestData request = new LeaveGroupRequestData().setGroupId("g");
        if (version(ApiKeys.LEAVE_GROUP) >= 3) {
            request.setMembers(List.of(new MemberIdentity().setMemberId(member.memberId())));
        } else {
            request.setMemberId(member.memberId());
        }
        LeaveGroupResponseData response = ask(ApiKeys.LEAVE_GROUP, request, LeaveGroupResponseData.class);
        assertThat(response.errorCode()).isZero();
        assertThat(response.members())
                .allSatisfy(one -> assertThat(one.errorCode()).isZero());
    }

    private void deleteOffset() throws IOException {
        OffsetDeleteResponseData response = ask(
                ApiKeys.OFFSET_DELETE,
                new OffsetDeleteRequestData()
                        .setGroupId("g")
                        .setTopics(new OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection(
                                List.of(new OffsetDeleteRequestData.OffsetDeleteRequestTopic()
                                                .setName("t")
                                                .setPartitions(List.of(
                                                        new OffsetDeleteRequestData.OffsetDeleteRequestPartition())))
                                        .iterator())),
                OffsetDeleteResponseData.class);
        assertThat(response.errorCode()).isZero();
    }

    private void deleteGroup() throws IOException {
        DeleteGroupsResponseData response = ask(
                ApiKeys.DELETE_GROUPS,
                new DeleteGroupsRequestData().setGroupsNames(List.of("g")),
                DeleteGroupsResponseData.class);
        assertThat(response.results().find("g").errorCode()).isZero();
    }
}
