package io.rivulet.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Groups of the consumer protocol: their kind, their log entries, and changes from one protocol to the other. */
final class ConsumerGroupsTest {
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final byte[] SUBSCRIPTION = {0, 0, 0, 0, 0, 1, 0, 1, 't', -1, -1, -1, -1};
    private static final byte[] ASSIGNMENT = {
        0, 0, 0, 0, 0, 1, 0, 1, 't', 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, -1, -1, -1, -1
    };

    private InPlace place = new InPlace();

    ConsumerGroupsTest() {
        place.createTopic("t", 2);
    }

    @Test
    void theLogAndASnapshotRestoreAGroup() {
        heartbeat(join("g", "a"));
        heartbeat(join("g", "b"));
        String before = place.dump();

        assertThat(place.reloaded().dump()).isEqualTo(before);
        place = place.restarted(InPlace.SETTINGS);
        assertThat(place.dump()).isEqualTo(before);
        assertThat(heartbeat(beat("g", "a", 2)).memberEpoch()).isEqualTo(2);
        assertThat(described("g").members()).hasSize(2);
    }

    @Test
    void aGroupOfAnotherKindIsNotFound() {
        assertThat(code(heartbeat(beat("g", "a", 1)))).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(described("g").errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
        assertThat(place.groupCount()).isZero();
        classicGroup("connect");
        assertThat(code(heartbeat(join("c", "a")))).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(code(heartbeat(beat("c", "a", 1)))).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(listed("c").groupType()).isEqualTo("classic");
        heartbeat(join("g", "a"));
        assertThat(LongQuestions.complete(
                                place.groups.describe(new DescribeGroupsRequest().groups(List.of("g")), (short) 6))
                        .groups()
                        .get(0)
                        .errorCode())
                .isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
    }

    @Test
    void aClassicGroupIsUpgradedAndDowngraded() {
        String classicId = classicGroup("consumer");
        assertThat(heartbeat(join("c", "a")).memberEpoch()).isEqualTo(2);
        assertThat(listed("c").groupType()).isEqualTo("consumer");
        assertThat(classicHeartbeat(classicId, 1)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);

        place = place.restarted(InPlace.SETTINGS);
        assertThat(listed("c").groupType()).isEqualTo("consumer");
        assertThat(classicHeartbeat(classicId, 1)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);
        assertThat(heartbeat(beat("c", "a", 2).memberEpoch(-1)).memberEpoch()).isEqualTo(-1);
        assertThat(listed("c").groupType()).isEqualTo("classic");
        assertThat(classicHeartbeat(classicId, 3)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    @Test
    void aRestartFinishesADowngrade() {
        String classicId = classicGroup("consumer");
        heartbeat(join("c", "a"));
        heartbeat(beat("c", "a", 2).memberEpoch(-1));
        place = place.restarted(InPlace.SETTINGS);
        assertThat(listed("c").groupType()).isEqualTo("classic");
        assertThat(classicHeartbeat(classicId, 3)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    @Test
    void theNextMemberDecidesTheKindOfAnEmptyGroup() {
        heartbeat(join("c", "a"));
        heartbeat(beat("c", "a", 1).memberEpoch(-1));
        assertThat(listed("c").groupState()).isEqualTo("Empty");
        classicGroup("consumer");
        assertThat(listed("c").groupType()).isEqualTo("classic");
        place = place.restarted(InPlace.SETTINGS);
        assertThat(listed("c").groupType()).isEqualTo("classic");
    }

    @Test
    void onlyAnEmptyGroupCanBeDeleted() {
        heartbeat(join("g", "a"));
        assertThat(delete("g")).isEqualTo(ErrorCode.NON_EMPTY_GROUP);
        heartbeat(beat("g", "a", 1).memberEpoch(-1));
        assertThat(delete("g")).isEqualTo(ErrorCode.NONE);
        assertThat(place.groupCount()).isZero();
        assertThat(place.dump()).isEqualTo("{}");
    }

    @Test
    void aCommitNeedsTheEpochOfTheMember() {
        heartbeat(join("g", "a"));
        assertThat(commit("a", 1)).isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
        assertThat(commit("b", 2)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(commit("a", 2)).isEqualTo(ErrorCode.NONE);
    }

    // ---- helpers ----

    /** A group "c" with one member that has both partitions; returns the id of the member. */
    private String classicGroup(String protocolType) {
        List<JoinGroupResponse> joined = new ArrayList<>();
        place.groups.join(classicJoin("", protocolType, joined));
        String id = joined.get(0).memberId();
        place.groups.join(classicJoin(id, protocolType, joined));
        place.advance(10 * SECOND_NANOS);
        int generation = joined.get(1).generationId();
        place.groups.sync(
                new SyncGroupRequest()
                        .groupId("c")
                        .memberId(id)
                        .generationId(generation)
                        .assignments(List.of(
                                new SyncGroupRequestAssignment().memberId(id).assignment(ASSIGNMENT))),
                response -> {});
        place.allDurable();
        return id;
    }

    private static JoinCall classicJoin(String memberId, String protocolType, List<JoinGroupResponse> answers) {
        return new JoinCall(
                new JoinGroupRequest()
                        .groupId("c")
                        .memberId(memberId)
                        .sessionTimeoutMs(60_000)
                        .rebalanceTimeoutMs(60_000)
                        .protocolType(protocolType)
                        .protocols(List.of(
                                new JoinGroupRequestProtocol().name("range").metadata(SUBSCRIPTION))),
                (short) 9,
                "client",
                "host",
                answers::add);
    }

    private ErrorCode classicHeartbeat(String memberId, int generation) {
        short code = place.groups
                .heartbeat(
                        new HeartbeatRequest().groupId("c").memberId(memberId).generationId(generation))
                .errorCode();
        place.allDurable();
        return ErrorCode.forCode(code);
    }

    private ConsumerGroupHeartbeatResponse heartbeat(ConsumerGroupHeartbeatRequest request) {
        List<ConsumerGroupHeartbeatResponse> answers = new ArrayList<>();
        place.consumers.heartbeat(request, (short) 1, "client", "host", Access.UNLIMITED, answers::add);
        place.allDurable();
        return answers.get(0);
    }

    private static ErrorCode code(ConsumerGroupHeartbeatResponse response) {
        return ErrorCode.forCode(response.errorCode());
    }

    private static ConsumerGroupHeartbeatRequest join(String groupId, String memberId) {
        return beat(groupId, memberId, 0)
                .rebalanceTimeoutMs(60_000)
                .subscribedTopicNames(List.of("t"))
                .topicPartitions(List.of());
    }

    private static ConsumerGroupHeartbeatRequest beat(String groupId, String memberId, int epoch) {
        return new ConsumerGroupHeartbeatRequest()
                .groupId(groupId)
                .memberId(memberId)
                .memberEpoch(epoch);
    }

    private DescribedGroup described(String groupId) {
        return LongQuestions.complete(
                        place.consumers.describe(new ConsumerGroupDescribeRequest().groupIds(List.of(groupId))))
                .groups()
                .get(0);
    }

    private ListedGroup listed(String groupId) {
        return LongQuestions.complete(place.groups.list(new ListGroupsRequest(), Access.UNLIMITED)).groups().stream()
                .filter(group -> group.groupId().equals(groupId))
                .findFirst()
                .orElseThrow();
    }

    private ErrorCode delete(String groupId) {
        List<ErrorCode> answers = new ArrayList<>();
        place.groups.delete(
                new DeleteGroupsRequest().groupsNames(List.of(groupId)),
                response ->
                        answers.add(ErrorCode.forCode(response.results().get(0).errorCode())));
        place.allDurable();
        return answers.get(0);
    }

    private ErrorCode commit(String memberId, int epoch) {
        List<OffsetCommitResponse> answers = new ArrayList<>();
        place.offsets.commit(
                new OffsetCommitRequest()
                        .groupId("g")
                        .memberId(memberId)
                        .generationIdOrMemberEpoch(epoch)
                        .topics(List.of(new OffsetCommitRequestTopic()
                                .name("t")
                                .partitions(List.of(new OffsetCommitRequestPartition().committedOffset(7))))),
                (short) 9,
                answers::add);
        place.allDurable();
        return ErrorCode.forCode(
                answers.get(0).topics().get(0).partitions().get(0).errorCode());
    }
}
