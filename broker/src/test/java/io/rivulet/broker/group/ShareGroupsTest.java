package io.rivulet.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.GroupCalls.Answer;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestPartition;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.message.ShareGroupDescribeRequest;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Share groups: their members, their log entries, and requests of other kinds of groups to them. */
final class ShareGroupsTest {
    private static final long SECOND_NANOS = 1_000_000_000L;

    private InPlace place = new InPlace();
    private Uuid t = place.createTopic("t", 4);

    @Test
    void aMemberJoinsAndGetsAllQueues() {
        ShareGroupHeartbeatResponse joined = heartbeat(join("g", "a"));

        assertThat(joined.errorCode()).isZero();
        assertThat(joined.memberId()).isEqualTo("a");
        assertThat(joined.memberEpoch()).isEqualTo(2);
        assertThat(joined.heartbeatIntervalMs()).isEqualTo(5000);
        assertThat(partitions(joined)).containsExactly(0, 1, 2, 3);
        assertThat(described("g").groupState()).isEqualTo("Stable");
        assertThat(listed()).containsExactly("g share share Stable");
    }

    @Test
    void aHeartbeatWithoutNewsHasNoAssignmentAndWritesNothing() {
        heartbeat(join("g", "a"));

        ShareGroupHeartbeatResponse answer = heartbeat(beat("g", "a", 2));

        assertThat(answer.assignment()).isNull();
        assertThat(answer.memberEpoch()).isEqualTo(2);
        assertThat(place.log).hasSize(1);
    }

    @Test
    void theAnswerWaitsUntilTheEpochIsDurable() {
        Answer<ShareGroupHeartbeatResponse> answer = new Answer<>();
        place.shares.heartbeat(join("g", "a"), "client", "/host", answer::is);
        assertThat(answer.value).isNull();

        place.allDurable();

        assertThat(answer.get().memberEpoch()).isEqualTo(2);
    }

    @Test
    void afterAFailureTheNextHeartbeatWritesAgain() {
        Answer<ShareGroupHeartbeatResponse> answer = new Answer<>();
        place.shares.heartbeat(join("g", "a"), "client", "/host", answer::is);
        place.oneFails(new IllegalStateException("no disk"));
        assertThat(answer.get().errorCode()).isNotZero();

        assertThat(heartbeat(join("g", "a")).memberEpoch()).isEqualTo(2);
        assertThat(place.restarted(InPlace.SETTINGS).groupCount()).isOne();
    }

    @Test
    void membersGetTheirShareWithTheirNextHeartbeat() {
        heartbeat(join("g", "a"));
        assertThat(partitions(heartbeat(join("g", "b")))).hasSize(2);

        ShareGroupHeartbeatResponse answer = heartbeat(beat("g", "a", 2));

        assertThat(answer.memberEpoch()).isEqualTo(3);
        assertThat(partitions(answer)).containsExactly(0, 1);
    }

    @Test
    void theQueuesOfAMemberThatLeavesGoToTheOthers() {
        heartbeat(join("g", "a"));
        heartbeat(join("g", "b"));
        ShareGroupHeartbeatResponse left = heartbeat(beat("g", "b", -1));
        assertThat(left.memberEpoch()).isEqualTo(-1);
        assertThat(left.errorCode()).isZero();

        ShareGroupHeartbeatResponse answer = heartbeat(beat("g", "a", 2));

        assertThat(answer.memberEpoch()).isEqualTo(4);
        assertThat(partitions(heartbeat(join("g", "a")))).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aMemberWithoutHeartbeatsIsRemoved() {
        heartbeat(join("g", "a"));
        place.advance(44 * SECOND_NANOS);
        assertThat(described("g").members()).hasSize(1);

        place.advance(2 * SECOND_NANOS);

        place.allDurable();
        assertThat(described("g").groupState()).isEqualTo("Empty");
        assertThat(code(heartbeat(beat("g", "a", 2)))).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(listed()).containsExactly("g share share Empty");
    }

    @Test
    void newAndDeletedTopicsAreNoticed() {
        heartbeat(join("g", "a").subscribedTopicNames(List.of("t", "u")));
        Uuid u = place.createTopic("u", 2);
        place.advance(SECOND_NANOS);

        ShareGroupHeartbeatResponse answer = heartbeat(beat("g", "a", 2));
        assertThat(answer.memberEpoch()).isEqualTo(3);
        assertThat(partitions(answer, u)).containsExactly(0, 1);

        place.deleteTopic(t);
        place.advance(SECOND_NANOS);
        answer = heartbeat(beat("g", "a", 3));
        assertThat(answer.memberEpoch()).isEqualTo(4);
        assertThat(partitions(answer)).isEmpty();
    }

    @Test
    void aNewSubscriptionCounts() {
        Uuid u = place.createTopic("u", 1);
        heartbeat(join("g", "a"));

        ShareGroupHeartbeatResponse answer = heartbeat(beat("g", "a", 2).subscribedTopicNames(List.of("u")));

        assertThat(answer.memberEpoch()).isEqualTo(3);
        assertThat(partitions(answer)).isEmpty();
        assertThat(partitions(answer, u)).containsExactly(0);
    }

    @Test
    void epochsAreChecked() {
        heartbeat(join("g", "a"));
        heartbeat(join("g", "b"));
        heartbeat(beat("g", "a", 2));

        assertThat(code(heartbeat(beat("g", "a", 2)))).as("the previous one").isEqualTo(ErrorCode.NONE);
        assertThat(code(heartbeat(beat("g", "a", 1)))).isEqualTo(ErrorCode.FENCED_MEMBER_EPOCH);
        assertThat(code(heartbeat(beat("g", "a", 4)))).isEqualTo(ErrorCode.FENCED_MEMBER_EPOCH);
        assertThat(code(heartbeat(beat("g", "c", 1)))).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(code(heartbeat(beat("g", "c", -1)))).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(code(heartbeat(beat("h", "a", 1)))).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(heartbeat(join("g", "a")).memberEpoch()).isEqualTo(3);
    }

    @Test
    void requestsThatMakeNoSenseAreRefused() {
        assertThat(code(heartbeat(join("", "a")))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(code(heartbeat(join("g", "")))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(code(heartbeat(join("g", "a").rackId("")))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(code(heartbeat(join("g", "a").subscribedTopicNames(List.of()))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(code(heartbeat(beat("g", "a", -2)))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(place.groupCount()).isZero();
    }

    @Test
    void aFullGroupTakesNoMore() {
        for (int i = 0; i < 200; i++) {
            assertThat(code(heartbeat(join("g", "m" + i)))).isEqualTo(ErrorCode.NONE);
        }

        assertThat(code(heartbeat(join("g", "one more")))).isEqualTo(ErrorCode.GROUP_MAX_SIZE_REACHED);
        assertThat(code(heartbeat(join("g", "m7")))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void afterARestartTheGroupIsEmptyAndMembersJoinAgain() {
        heartbeat(join("g", "a"));
        heartbeat(join("g", "b"));
        String before = place.dump();
        assertThat(place.reloaded().dump()).isEqualTo(before);

        place = place.restarted(InPlace.SETTINGS);

        assertThat(place.dump()).isEqualTo(before);
        assertThat(described("g").groupState()).isEqualTo("Empty");
        assertThat(described("g").groupEpoch()).isEqualTo(3);
        assertThat(code(heartbeat(beat("g", "a", 3)))).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(heartbeat(join("g", "a")).memberEpoch()).isEqualTo(4);
        assertThat(partitions(heartbeat(join("g", "a")))).hasSize(4);
    }

    @Test
    void groupsAreCountedByTheirState() {
        heartbeat(join("g", "a"));
        heartbeat(join("g", "b"));
        heartbeat(join("h", "c"));
        assertThat(place.knownShares.stable()).isEqualTo(2);
        assertThat(place.knownShares.empty()).isZero();

        heartbeat(beat("g", "a", -1));
        assertThat(place.knownShares.stable()).isEqualTo(2);
        heartbeat(beat("g", "b", -1));
        assertThat(place.knownShares.stable()).isEqualTo(1);
        assertThat(place.knownShares.empty()).isEqualTo(1);
        place = place.restarted(InPlace.SETTINGS);
        assertThat(place.knownShares.stable()).isZero();
        assertThat(place.knownShares.empty()).isEqualTo(2);
        assertThat(place.knownShares.mayExist("g")).isTrue();
        assertThat(place.knownShares.mayExist("nobody")).isFalse();
        assertThat(GroupCalls.deleteGroup(place, "g")).isZero();
        assertThat(place.knownShares.mayExist("g")).isFalse();
    }

    @Test
    void aGroupStaysUntilItIsDeleted() {
        place.beginExpiry();
        heartbeat(join("g", "a"));
        assertThat(GroupCalls.deleteGroup(place, "g")).isEqualTo(ErrorCode.NON_EMPTY_GROUP.code());
        heartbeat(beat("g", "a", -1));
        place.advance(100_000 * SECOND_NANOS);
        place.allDurable();
        assertThat(listed()).containsExactly("g share share Empty");
        alter("g", "t", 0, 5);

        assertThat(GroupCalls.deleteGroup(place, "g")).isZero();

        assertThat(place.groupCount()).isZero();
        assertThat(place.shareRows.rows).isEmpty();
        assertThat(place.dump()).isEqualTo("{}");
        assertThat(place.restarted(InPlace.SETTINGS).groupCount()).isZero();
        assertThat(place.heap.usedBytes()).as("heap of no group").isZero();
        assertThat(place.knownShares.empty()).isZero();
    }

    @Test
    void aDeletionIsAnsweredWhenTheGroupIsGone() {
        heartbeat(join("g", "a"));
        heartbeat(beat("g", "a", -1));
        place = place.restarted(InPlace.SETTINGS);
        Answer<Boolean> there = new Answer<>();
        place.groups.delete(
                new DeleteGroupsRequest().groupsNames(List.of("g")),
                answer -> there.is(place.knownShares.mayExist("g")));

        place.allDurable();

        assertThat(there.get()).isFalse();
    }

    /** Otherwise a fetch makes rows for the group after its rows were deleted, and they stay when it is gone. */
    @Test
    void aGroupThatIsBeingDeletedGetsNoRows() {
        heartbeat(join("g", "a"));
        heartbeat(beat("g", "a", -1));
        place = place.restarted(InPlace.SETTINGS);
        place.groups.delete(new DeleteGroupsRequest().groupsNames(List.of("g")), answer -> {});
        assertThat(place.appendsUnderWay()).isEqualTo(1);
        assertThat(place.knownShares.mayExist("g")).isFalse();

        place.oneFails(new NotStoredException(Outcome.DISK_FULL));
        assertThat(place.knownShares.mayExist("g")).isTrue();

        place.groups.delete(new DeleteGroupsRequest().groupsNames(List.of("g")), answer -> {});
        assertThat(place.knownShares.mayExist("g")).isFalse();
        heartbeat(join("g", "b"));
        assertThat(place.knownShares.mayExist("g")).isTrue();
    }

    @Test
    void aMemberMayJoinWhileTheGroupIsDeleted() {
        heartbeat(join("g", "a"));
        heartbeat(beat("g", "a", -1));
        place.groups.delete(new DeleteGroupsRequest().groupsNames(List.of("g")), answer -> {});

        ShareGroupHeartbeatResponse joined = heartbeat(join("g", "b"));

        assertThat(joined.errorCode()).isZero();
        assertThat(listed()).containsExactly("g share share Stable");
        place = place.restarted(InPlace.SETTINGS);
        assertThat(described("g").groupEpoch()).isEqualTo(joined.memberEpoch());
        assertThat(offsets("g").topics()).hasSize(1);
    }

    @Test
    void groupsOfOtherKindsAreNotShareGroups() {
        GroupCalls.commit(place, "offsets", "t", 0, 3);
        place.allDurable();
        assertThat(code(heartbeat(join("offsets", "a")))).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
        GroupCalls.join(place, "classic", "", "consumer", new byte[0]);
        assertThat(code(heartbeat(join("classic", "a")))).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(described("offsets").errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
        assertThat(described("none").errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
    }

    @Test
    void aShareGroupIsNoGroupForConsumers() {
        heartbeat(join("g", "a"));
        heartbeat(beat("g", "a", -1));

        assertThat(GroupCalls.join(place, "g", "", "consumer", new byte[0])
                        .get()
                        .errorCode())
                .isEqualTo(ErrorCode.INCONSISTENT_GROUP_PROTOCOL.code());
        Answer<ConsumerGroupHeartbeatResponse> consumer = new Answer<>();
        place.consumers.heartbeat(
                new ConsumerGroupHeartbeatRequest()
                        .groupId("g")
                        .memberId("c")
                        .rebalanceTimeoutMs(1000)
                        .subscribedTopicNames(List.of("t"))
                        .topicPartitions(List.of()),
                (short) 1,
                "client",
                "/host",
                Access.UNLIMITED,
                consumer::is);
        assertThat(consumer.get().errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
        assertThat(GroupCalls.codes(GroupCalls.commit(place, "g", "t", 0, 3)))
                .containsExactly(ErrorCode.GROUP_ID_NOT_FOUND.code());
        Answer<OffsetDeleteResponse> deleted = new Answer<>();
        place.offsets.delete(new OffsetDeleteRequest().groupId("g"), deleted::is);
        assertThat(deleted.get().errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
        assertThat(listed()).containsExactly("g share share Empty");
    }

    // ---- start offsets ----

    @Test
    void theOffsetsOfAllSubscribedTopicsAreDescribed() {
        place.createTopic("other", 1);
        heartbeat(join("g", "a"));
        heartbeat(beat("g", "a", -1));
        alter("g", "t", 2, 40);

        assertThat(texts(offsets("g"))).containsExactly("t-0 -1 -1", "t-1 -1 -1", "t-2 40 60", "t-3 -1 -1");
        place = place.restarted(InPlace.SETTINGS);
        assertThat(texts(offsets("g"))).containsExactly("t-0 -1 -1", "t-1 -1 -1", "t-2 -1 -1", "t-3 -1 -1");
        assertThat(offsets("none").topics()).isEmpty();
        assertThat(offsets("none").errorCode()).isZero();
    }

    @Test
    void offsetsOfAGroupThatDoesNotExistCanBeSet() {
        AlterShareGroupOffsetsResponse answer = alter("g", "t", 1, 7);

        assertThat(answer.errorCode()).isZero();
        assertThat(answer.responses().get(0).topicId()).isEqualTo(t);
        assertThat(answer.responses().get(0).partitions().get(0).errorCode()).isZero();
        assertThat(listed()).containsExactly("g share share Empty");
        assertThat(texts(offsets("g"))).containsExactly("t-1 7 93");
    }

    @Test
    void offsetsOfUnknownPartitionsAreNotSet() {
        AlterShareGroupOffsetsResponse unknownPartition = alter("g", "t", 4, 7);
        AlterShareGroupOffsetsResponse unknownTopic = alter("g", "none", 0, 7);

        for (AlterShareGroupOffsetsResponse answer : List.of(unknownPartition, unknownTopic)) {
            assertThat(answer.responses().get(0).partitions().get(0).errorCode())
                    .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        assertThat(place.groupCount()).isZero();
    }

    /** It would be taken for a queue of which nothing is known. */
    @Test
    void anOffsetIsNotNegative() {
        for (long offset : new long[] {-1, -2, Long.MIN_VALUE}) {
            assertThat(alter("g", "t", 1, offset)
                            .responses()
                            .get(0)
                            .partitions()
                            .get(0)
                            .errorCode())
                    .isEqualTo(ErrorCode.INVALID_REQUEST.code());
        }
        assertThat(place.groupCount()).isZero();
    }

    @Test
    void aTopicThatIsNamedAgainIsDeletedOnce() {
        alter("g", "t", 1, 7);

        assertThat(delete("g", "t", "t", "none", "t").responses())
                .extracting(one -> one.topicName())
                .containsExactly("t", "none");
    }

    @Test
    void offsetsOfAGroupWithMembersCanNotBeChanged() {
        heartbeat(join("g", "a"));

        assertThat(alter("g", "t", 1, 7).errorCode()).isEqualTo(ErrorCode.NON_EMPTY_GROUP.code());
        assertThat(delete("g", "t").errorCode()).isEqualTo(ErrorCode.NON_EMPTY_GROUP.code());
    }

    @Test
    void offsetsAreForgotten() {
        place.createTopic("u", 1);
        alter("g", "t", 1, 7);
        alter("g", "u", 0, 8);

        assertThat(delete("g", "t").responses().get(0).errorCode()).isZero();

        assertThat(texts(offsets("g"))).containsExactly("u-0 8 92");
        assertThat(delete("g", "t").responses().get(0).errorCode())
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(delete("g", "none").responses().get(0).errorCode())
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(delete("none", "t").errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
    }

    // ---- requests ----

    private static ShareGroupHeartbeatRequest join(String group, String member) {
        return beat(group, member, 0).subscribedTopicNames(List.of("t"));
    }

    private static ShareGroupHeartbeatRequest beat(String group, String member, int epoch) {
        return new ShareGroupHeartbeatRequest().groupId(group).memberId(member).memberEpoch(epoch);
    }

    private ShareGroupHeartbeatResponse heartbeat(ShareGroupHeartbeatRequest request) {
        Answer<ShareGroupHeartbeatResponse> answer = new Answer<>();
        place.shares.heartbeat(request, "client", "/host", answer::is);
        place.allDurable();
        return answer.get();
    }

    private static ErrorCode code(ShareGroupHeartbeatResponse response) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.code() == response.errorCode())
                .findFirst()
                .orElseThrow();
    }

    private List<Integer> partitions(ShareGroupHeartbeatResponse response) {
        return partitions(response, t);
    }

    private static List<Integer> partitions(ShareGroupHeartbeatResponse response, Uuid topic) {
        List<Integer> partitions = new ArrayList<>();
        ShareGroupHeartbeatResponse.Assignment assignment = Objects.requireNonNull(response.assignment());
        for (ShareGroupHeartbeatResponse.TopicPartitions one : assignment.topicPartitions()) {
            if (one.topicId().equals(topic)) {
                Arrays.stream(one.partitions()).forEach(partitions::add);
            }
        }
        return partitions;
    }

    private DescribedGroup described(String group) {
        return LongQuestions.complete(place.shares.describe(new ShareGroupDescribeRequest().groupIds(List.of(group))))
                .groups()
                .get(0);
    }

    private List<String> listed() {
        return LongQuestions.complete(place.groups.list(new ListGroupsRequest(), Access.UNLIMITED)).groups().stream()
                .map(group -> group.groupId() + " " + group.groupType() + " " + group.protocolType() + " "
                        + group.groupState())
                .toList();
    }

    private DescribeShareGroupOffsetsResponseGroup offsets(String group) {
        DescribeShareGroupOffsetsRequestGroup all = new DescribeShareGroupOffsetsRequestGroup().groupId(group);
        DescribeShareGroupOffsetsRequest request =
                new DescribeShareGroupOffsetsRequest().groups(List.of(all.topics(null)));
        return LongQuestions.complete(place.shareOffsets.describe(request, Access.UNLIMITED))
                .groups()
                .get(0);
    }

    private static List<String> texts(DescribeShareGroupOffsetsResponseGroup group) {
        return group.topics().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .map(partition -> topic.topicName() + "-" + partition.partitionIndex() + " "
                                + partition.startOffset() + " " + partition.lag()))
                .toList();
    }

    private AlterShareGroupOffsetsResponse alter(String group, String topic, int partition, long offset) {
        Answer<AlterShareGroupOffsetsResponse> answer = new Answer<>();
        place.shareOffsets.alter(
                new AlterShareGroupOffsetsRequest()
                        .groupId(group)
                        .topics(List.of(new AlterShareGroupOffsetsRequestTopic()
                                .topicName(topic)
                                .partitions(List.of(new AlterShareGroupOffsetsRequestPartition()
                                        .partitionIndex(partition)
                                        .startOffset(offset))))),
                answer::is);
        place.allDurable();
        return answer.get();
    }

    private DeleteShareGroupOffsetsResponse delete(String group, String... topics) {
        Answer<DeleteShareGroupOffsetsResponse> answer = new Answer<>();
        place.shareOffsets.delete(
                new DeleteShareGroupOffsetsRequest()
                        .groupId(group)
                        .topics(Arrays.stream(topics)
                                .map(topic -> new DeleteShareGroupOffsetsRequestTopic().topicName(topic))
                                .toList()),
                answer::is);
        place.allDurable();
        return answer.get();
    }
}
