package io.rivulet.broker.group.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.access.TestRights;
import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.OffsetCommitter;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest.TopicPartitions;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.SyncGroupRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The responses to members of a group, step by step, and every error. */
final class ConsumerGroupTest {
    private final TestGroup world = new TestGroup();
    private final Topic topic = world.topics.create("t", 4);

    // ---- assignment ----

    @Test
    void aQueueIsRevokedBeforeAnotherMemberGetsIt() {
        assertThat(text(world.ask(join("a")))).isEqualTo("e2 [0, 1, 2, 3]");
        assertThat(text(world.ask(join("b")))).isEqualTo("e3 []");
        assertThat(world.group().stateName()).isEqualTo("Reconciling");

        assertThat(text(world.ask(beat("a", 2)))).isEqualTo("e2 [0, 1]");
        assertThat(text(world.ask(beat("b", 3)))).as("not revoked yet").isEqualTo("e3 -");
        assertThat(text(world.ask(beat("a", 2))))
                .as("does not report its queues")
                .isEqualTo("e2 -");
        assertThat(text(world.ask(beat("a", 2, 0, 1)))).isEqualTo("e3 -");
        assertThat(text(world.ask(beat("b", 3)))).isEqualTo("e3 [2, 3]");
        assertThat(world.group().stateName()).isEqualTo("Stable");
    }

    @Test
    void aSlowAssignmentWaitsForItsTurn() {
        List<String> many = names("u", 200);
        many.forEach(name -> world.topics.create(name, 1));
        world.time.everyReadTakes(50);
        assertThat(text(world.ask(join("a").subscribedTopicNames(many)))).startsWith("e2 [0, ");
        world.time.everyReadTakes(0);

        assertThat(text(world.ask(join("b")))).as("no new assignment").isEqualTo("e2 []");
        assertThat(text(world.ask(beat("a", 2)))).isEqualTo("e2 -");

        world.time.pass(5_000);
        world.settle();
        assertThat(text(world.ask(beat("b", 2)))).isEqualTo("e3 [0, 1, 2, 3]");
        assertThat(text(world.ask(join("c"))))
                .as("the last assignment was fast")
                .startsWith("e4");
    }

    @Test
    void anAssignmentWaitsForTheInterval() {
        ConsumerGroupSettings defaults = world.settings;
        world.settings(new ConsumerGroupSettings(5000, 45_000, 1000, 9, defaults.assignors(), true, true, true));
        assertThat(text(world.ask(join("a")))).isEqualTo("e2 [0, 1, 2, 3]");
        assertThat(text(world.ask(join("b")))).as("no new assignment").isEqualTo("e2 []");
        assertThat(world.group().stateName()).isEqualTo("Assigning");
        world.time.pass(999);
        assertThat(text(world.ask(beat("b", 2)))).isEqualTo("e2 -");
        world.time.pass(1);
        assertThat(text(world.ask(beat("b", 2)))).isEqualTo("e3 -");
        assertThat(text(world.ask(beat("a", 2)))).isEqualTo("e2 [0, 1]");
    }

    @Test
    void theSubscriptionsOfAGroupHaveALimitInTotal() {
        for (String member : List.of("a", "b", "c", "d")) {
            world.ask(join(member).subscribedTopicNames(names(member, 60_000)));
        }
        refused(ErrorCode.POLICY_VIOLATION, () -> world.ask(join("e").subscribedTopicNames(names("e", 60_000))));
        world.ask(join("e").subscribedTopicNames(names("e", 1_000)));
    }

    private static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    @Test
    void aLostResponseIsSentAgain() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.ask(beat("a", 2));
        world.ask(beat("a", 2, 0, 1)); // moves to epoch 3; the response is lost

        assertThat(text(world.ask(full("a", 2, 0, 1)))).isEqualTo("e3 [0, 1]");
        refused(ErrorCode.FENCED_MEMBER_EPOCH, () -> world.ask(beat("a", 2)));
        refused(ErrorCode.FENCED_MEMBER_EPOCH, () -> world.ask(beat("a", 2, 0, 1, 2)));
        refused(ErrorCode.FENCED_MEMBER_EPOCH, () -> world.ask(beat("a", 4)));
    }

    @Test
    void aMemberThatDoesNotRevokeInTimeIsFenced() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.ask(beat("a", 2));
        for (int i = 0; i < 3; i++) {
            assertThat(text(world.ask(beat("a", 2)))).as("alive").isEqualTo("e2 -");
            world.time.pass(20_000);
            world.ask(beat("b", Objects.requireNonNull(world.group().members().find("b")).epoch));
        }
        world.settle();
        assertThat(world.group().members().find("a")).isNull();
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> world.ask(beat("a", 2)));
    }

    @Test
    void aSilentMemberIsRemovedAndTheOthersGetItsQueues() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.time.pass(40_000);
        world.ask(beat("b", 3));
        world.time.pass(10_000);
        world.settle();

        assertThat(text(world.ask(beat("b", 3)))).isEqualTo("e4 [0, 1, 2, 3]");
    }

    @Test
    void thereIsNoResponseBeforeTheEntryIsDurable() {
        List<ConsumerGroupHeartbeatResponse> answers = new ArrayList<>();
        world.heartbeat(join("a"), answers::add);
        world.heartbeat(beat("a", 2), answers::add);
        assertThat(answers).isEmpty();

        world.appendDurable();
        assertThat(answers).hasSize(2);
        world.heartbeat(beat("a", 2), answers::add);
        assertThat(answers).as("no change, no entry to wait for").hasSize(3);
    }

    @Test
    void changesOfAFailedEntryAreWrittenWithTheNextOne() {
        List<ConsumerGroupHeartbeatResponse> answers = new ArrayList<>();
        world.heartbeat(join("a"), answers::add);
        world.appendFails();
        assertThat(answers).isEmpty();
        assertThat(text(world.ask(join("a")))).isEqualTo("e2 [0, 1, 2, 3]");

        world.restart();
        assertThat(text(world.ask(beat("a", 2)))).isEqualTo("e2 -");
    }

    @Test
    void aRegularExpressionTakesEffectWhenMatchedAndIsMatchedAgainAfterARestart() {
        world.topics.create("tt", 2);
        List<ConsumerGroupHeartbeatResponse> answers = new ArrayList<>();
        world.heartbeat(join("a").subscribedTopicNames(null).subscribedTopicRegex("t+"), answers::add);
        world.appendDurable();
        assertThat(text(answers.get(0))).as("not matched yet").isEqualTo("e1 []");
        world.settle();
        assertThat(text(world.ask(beat("a", 1)))).isEqualTo("e2 [0, 1, 2, 3, 0, 1]");

        world.restart();
        refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, () -> world.ask(beat("a", 2)));
        world.settle();
        assertThat(text(world.ask(beat("a", 2)))).as("unchanged").isEqualTo("e2 -");
    }

    @Test
    void aRegularExpressionIsMatchedAgainAfterTheRulesOfAccessHaveChanged() {
        TestRights rights = new TestRights();
        world.access = rights;
        world.ask(join("a").subscribedTopicNames(null).subscribedTopicRegex("t+"));
        assertThat(text(world.ask(beat("a", 1)))).as("no right to see a topic").isEqualTo("e1 -");

        rights.topic(Operation.DESCRIBE, "t").changed();
        world.time.pass(5_000);
        world.ask(beat("a", 1));
        assertThat(text(world.ask(beat("a", 1)))).isEqualTo("e2 [0, 1, 2, 3]");

        rights.deny(Operation.DESCRIBE, ResourceType.TOPIC, "t");
        rights.changed();
        world.time.pass(5_000);
        world.ask(beat("a", 2));
        assertThat(text(world.ask(beat("a", 2)))).isEqualTo("e2 []");
    }

    /** Otherwise two members with different rights would take the topics from each other with each heartbeat. */
    @Test
    void aMemberThatMayDoEverythingCausesNoNewMatchWhenRulesHaveNotChanged() {
        world.topics.create("tt", 1);
        TestRights rights = new TestRights().topic(Operation.DESCRIBE, "t");
        rights.changed();
        world.access = rights;
        world.ask(join("a").subscribedTopicNames(null).subscribedTopicRegex("t+"));
        world.ask(beat("a", 1));
        world.access = Access.UNLIMITED;
        world.ask(join("b").subscribedTopicNames(null).subscribedTopicRegex("t+"));
        int epoch = world.group().target().targetEpoch();

        for (int i = 0; i < 3; i++) {
            world.time.pass(5_000);
            world.access = Access.UNLIMITED;
            world.ask(beat("b", epoch));
            world.time.pass(5_000);
            world.access = rights;
            world.ask(beat("a", 2));
        }
        assertThat(world.group().target().targetEpoch()).isEqualTo(epoch);
    }

    @Test
    void aMemberWithARegularExpressionMayLeaveWhileItsTopicsAreUnknown() {
        world.ask(join("a"));
        world.heartbeat(join("b").subscribedTopicNames(null).subscribedTopicRegex("t+"), answer -> {});
        world.settle();
        world.restart();

        world.ask(beat("b", -1));

        assertThat(text(world.ask(full("a", 2, 0, 1, 2, 3)))).endsWith("[0, 1, 2, 3]");
    }

    @Test
    void unrelatedTopicsCauseNoNewAssignment() {
        world.ask(join("a"));
        world.topics.create("unrelated", 3);
        world.time.pass(5_000);
        assertThat(text(world.ask(beat("a", 2)))).isEqualTo("e2 -");
        world.topics.grow("t", 1);
        world.time.pass(5_000);
        assertThat(text(world.ask(beat("a", 2)))).isEqualTo("e3 [0, 1, 2, 3, 4]");
    }

    @Test
    void aGroupWithAHundredThousandQueuesTakesFewBytes() {
        world.topics.create("large", 100_000);
        for (int i = 0; i < 100; i++) {
            world.ask(join("m" + i).subscribedTopicNames(List.of("large")));
        }
        for (int round = 0; round < 250; round++) {
            for (ConsumerMember member : List.copyOf(world.group().members().all())) {
                int[] all = new int[member.assigned.size()];
                int[] filled = {0};
                member.assigned.forEachRange((first, count) -> {
                    for (int i = 0; i < count; i++) {
                        all[filled[0]++] =
                                first + i - world.topics.topic("large").queueId(0);
                    }
                });
                ConsumerGroupHeartbeatRequest beat = beat(member.id, member.epoch);
                world.ask(beat.topicPartitions(List.of(new TopicPartitions()
                        .topicId(world.topics.topic("large").id())
                        .partitions(all))));
            }
            if (world.group().stateName().equals("Stable")) {
                break;
            }
        }
        assertThat(world.group().stateName()).isEqualTo("Stable");
        assertThat(world.group().members().all())
                .allSatisfy(member -> assertThat(member.assigned.size()).isEqualTo(1000));
        assertThat(world.image.bytes().remaining()).isLessThan(100 * 1000);
    }

    // ---- static members ----

    @Test
    void aStaticMemberKeepsItsQueuesUnderANewId() {
        world.ask(join("a").instanceId("i"));
        world.ask(join("b"));
        refused(ErrorCode.UNRELEASED_INSTANCE_ID, () -> world.ask(join("c").instanceId("i")));
        assertThat(text(world.ask(leave("a", -2).instanceId("i")))).isEqualTo("e-2 -");
        assertThat(text(world.ask(beat("b", 3)))).as("it is only away").isEqualTo("e3 -");

        assertThat(text(world.ask(join("c").instanceId("i")))).isEqualTo("e3 [0, 1]");
        refused(ErrorCode.FENCED_INSTANCE_ID, () -> world.ask(beat("a", 3).instanceId("i")));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> world.ask(beat("a", 3)));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> world.ask(beat("a", 3).instanceId("j")));
    }

    /** Otherwise its queues stay owned by a member that does not exist, and nobody gets them. */
    @Test
    void aStaticMemberThatComesBackUnderTheIdOfAnotherMemberReplacesThatOne() {
        world.ask(join("a"));
        world.ask(join("b").instanceId("i"));
        world.ask(beat("a", 2));
        world.ask(beat("a", 2, 0, 1));
        assertThat(text(world.ask(full("b", 3).instanceId("i")))).isEqualTo("e3 [2, 3]");
        world.ask(leave("b", -2).instanceId("i"));

        world.ask(join("a").instanceId("i"));

        assertThat(world.group().members().size()).isEqualTo(1);
        world.ask(beat("a", 4));
        assertThat(text(world.ask(full("a", 4, 2, 3)))).isEqualTo("e4 [0, 1, 2, 3]");
        assertThat(world.group().isStable()).isTrue();
    }

    @Test
    void aStaticMemberThatStaysAwayIsRemoved() {
        world.ask(join("a").instanceId("i"));
        world.ask(leave("a", -2).instanceId("i"));
        world.time.pass(45_001);
        assertThat(world.group().isEmpty()).isTrue();
    }

    // ---- errors ----

    @Test
    void invalidRequestsAreRefused() {
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(join("a").groupId("")));
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(join("")));
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(join("a").rackId("")));
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(join("a").instanceId("")));
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(join("a").rebalanceTimeoutMs(-1)));
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(join("a").topicPartitions(null)));
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(join("a").subscribedTopicNames(null)));
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(leave("a", -2)));
        refused(ErrorCode.INVALID_REQUEST, () -> world.ask(leave("a", -3)));
        refused(ErrorCode.UNSUPPORTED_ASSIGNOR, () -> world.ask(join("a").serverAssignor("no")));
        refused(ErrorCode.INVALID_REGULAR_EXPRESSION, () -> world.ask(join("a").subscribedTopicRegex("(")));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> world.ask(leave("a", -1)));
        assertThat(world.group().isSettled()).as("nothing has changed").isTrue();
    }

    @Test
    void aFullGroupRefusesNewMembers() {
        ConsumerGroupSettings defaults = world.settings;
        world.settings(new ConsumerGroupSettings(5000, 45_000, 0, 1, defaults.assignors(), true, true, true));
        world.ask(join("a"));
        refused(ErrorCode.GROUP_MAX_SIZE_REACHED, () -> world.ask(join("b")));
        assertThat(text(world.ask(join("a")))).isEqualTo("e2 [0, 1, 2, 3]");
    }

    @Test
    void offsetsNeedTheEpochOfTheMember() {
        assertThat(commit("", -1, 0)).isEqualTo(ErrorCode.NONE);
        world.ask(join("a"));
        assertThat(commit("", -1, 0)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(commit("a", 2, 0)).isEqualTo(ErrorCode.NONE);
        assertThat(commit("a", 1, 0)).isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
        assertThat(commit("a", 3, 0)).isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
        assertThat(world.group().checkFetch(null, -1)).isEqualTo(ErrorCode.NONE);
        assertThat(world.group().checkFetch("b", 2)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(world.group().checkFetch("a", 3)).isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
    }

    @Test
    void anOffsetMayBeCommittedWithEachEpochSinceTheQueueWasAssigned() {
        twoMembers();
        world.topics.grow("t", 2);
        world.time.pass(5_000);
        assertThat(text(world.ask(beat("a", 3, 0, 1)))).isEqualTo("e4 [0, 1, 4]");

        for (int run = 0; run < 2; run++) {
            assertThat(commit("a", 2, 0, 1)).as("since the first epoch").isEqualTo(ErrorCode.NONE);
            assertThat(commit("a", 3, 0, 1)).isEqualTo(ErrorCode.NONE);
            assertThat(commit("a", 4, 0, 1, 4)).isEqualTo(ErrorCode.NONE);
            assertThat(commit("a", 3, 0, 4)).as("4 is new").isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
            assertThat(commit("a", 2, 2)).as("2 is another's").isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
            assertThat(commit("a", 5, 0)).as("a later epoch").isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
            world.restart();
        }
    }

    @Test
    void anOffsetOfAQueueThatIsBeingRevokedMayBeCommitted() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.ask(beat("a", 2));
        assertThat(commit("a", 2, 2)).isEqualTo(ErrorCode.NONE);
        world.ask(beat("a", 2, 0, 1));
        assertThat(commit("a", 2, 0)).isEqualTo(ErrorCode.NONE);
        assertThat(commit("a", 2, 2)).as("revoked").isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
    }

    @Test
    void anOldVersionOfOffsetCommitIsNotForMembersOfTheConsumerProtocol() {
        world.ask(join("a"));
        assertThat(world.group().checkCommit(new OffsetCommitter("a", null, 2, false, check -> true)))
                .isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
    }

    @Test
    void aLeaveRaisesTheGroupEpochAndTheNextHeartbeatAssigns() {
        twoMembers();
        world.ask(leave("b", -1));
        assertThat(world.group().stateName()).isEqualTo("Assigning");
        world.restart();
        assertThat(world.group().stateName()).isEqualTo("Assigning");
        assertThat(text(world.ask(beat("a", 3, 0, 1)))).isEqualTo("e4 [0, 1, 2, 3]");
        assertThat(world.group().stateName()).isEqualTo("Stable");

        world.ask(leave("a", -1));
        assertThat(world.group().target().targetEpoch()).as("nothing to assign").isEqualTo(5);
        assertThat(text(world.ask(join("c")))).isEqualTo("e6 [0, 1, 2, 3]");
    }

    @Test
    void aRegularExpressionThatMatchesNothingRaisesNoEpoch() {
        ConsumerGroupHeartbeatRequest join =
                join("a").subscribedTopicNames(null).subscribedTopicRegex("u+");
        assertThat(text(world.ask(join))).isEqualTo("e1 []");
        assertThat(text(world.ask(beat("a", 1)))).isEqualTo("e1 -");
        world.topics.create("uu", 2);
        world.time.pass(5_000);
        world.ask(beat("a", 1));
        assertThat(text(world.ask(beat("a", 1)))).isEqualTo("e2 [0, 1]");
    }

    @Test
    void aDescriptionHasTheQueuesThatAreBeingRevoked() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.ask(beat("a", 2));
        var described = ConsumerDescription.of(world.group()).members().get(0);
        assertThat(described.subscribedTopicRegex()).isEmpty();
        assertThat(described.assignment().topicPartitions().get(0).partitions()).containsExactly(0, 1, 2, 3);
        assertThat(described.targetAssignment().topicPartitions().get(0).partitions())
                .containsExactly(0, 1);
    }

    /** Both are at epoch 3; "a" has partitions 0 and 1 since epoch 2. */
    private void twoMembers() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.ask(beat("a", 2));
        world.ask(beat("a", 2, 0, 1));
        world.ask(beat("b", 3));
    }

    private ErrorCode commit(String memberId, int epoch, int... partitions) {
        return world.group()
                .checkCommit(new OffsetCommitter(
                        memberId,
                        null,
                        epoch,
                        true,
                        check -> IntStream.of(partitions)
                                .map(world.topics.topic("t")::queueId)
                                .allMatch(check)));
    }

    // ---- members of the classic protocol ----

    @Test
    void aClassicMemberFollowsTheAssignment() {
        world.ask(join("a"));
        ClassicMemberAdapter adapter = world.group().classicMembers();
        JoinGroupResponse asked = adapter.joined(classic("", "range"));
        assertThat(asked.errorCode()).isEqualTo(ErrorCode.MEMBER_ID_REQUIRED.code());
        JoinGroupResponse joined = adapter.joined(classic(asked.memberId(), "range"));
        assertThat(joined.generationId()).isEqualTo(3);
        String id = asked.memberId();
        assertThat(adapter.synced(sync(id, 3)).assignment()).hasSizeGreaterThan(0);
        adapter.alive(heartbeat(id, 3));

        world.ask(beat("a", 2));
        world.ask(beat("a", 2, 0, 1));
        refused(ErrorCode.REBALANCE_IN_PROGRESS, () -> adapter.alive(heartbeat(id, 3)));
        adapter.joined(classic(id, "range"));
        assertThat(world.group().stateName()).isEqualTo("Stable");

        refused(ErrorCode.ILLEGAL_GENERATION, () -> adapter.alive(heartbeat(id, 2)));
        refused(ErrorCode.ILLEGAL_GENERATION, () -> adapter.synced(sync(id, 2)));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> adapter.alive(heartbeat("a", 4)));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> adapter.alive(heartbeat("unknown", 4)));
        refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, () -> adapter.joined(classic("c", "other")));
        refused(
                ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
                () -> adapter.synced(sync(id, 3).protocolName("other")));
        assertThat(commit(id, 2, 0)).isEqualTo(ErrorCode.ILLEGAL_GENERATION);

        assertThat(adapter.hasOnlyClassicMembers()).isFalse();
        world.ask(leave("a", -1));
        assertThat(adapter.hasOnlyClassicMembers()).isTrue();
        refused(ErrorCode.REBALANCE_IN_PROGRESS, () -> adapter.alive(heartbeat(id, 3)));
        refused(ErrorCode.REBALANCE_IN_PROGRESS, () -> adapter.synced(sync(id, 3)));
        assertThat(adapter.handOver().members()).hasSize(1);
    }

    // ---- helpers ----

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private static ConsumerGroupHeartbeatRequest join(String memberId) {
        return new ConsumerGroupHeartbeatRequest()
                .groupId("g")
                .memberId(memberId)
                .rebalanceTimeoutMs(60_000)
                .subscribedTopicNames(List.of("t"))
                .topicPartitions(List.of());
    }

    private static ConsumerGroupHeartbeatRequest leave(String memberId, int epoch) {
        return new ConsumerGroupHeartbeatRequest()
                .groupId("g")
                .memberId(memberId)
                .memberEpoch(epoch);
    }

    private ConsumerGroupHeartbeatRequest beat(String memberId, int epoch, int... owned) {
        return leave(memberId, epoch)
                .topicPartitions(
                        owned.length == 0
                                ? null
                                : List.of(new TopicPartitions()
                                        .topicId(topic.id())
                                        .partitions(owned)));
    }

    private ConsumerGroupHeartbeatRequest full(String memberId, int epoch, int... owned) {
        return beat(memberId, epoch, owned).rebalanceTimeoutMs(60_000).subscribedTopicNames(List.of("t"));
    }

    private static String text(ConsumerGroupHeartbeatResponse response) {
        ConsumerGroupHeartbeatResponse.@Nullable Assignment assignment = response.assignment();
        List<Integer> partitions = new ArrayList<>();
        if (assignment != null) {
            for (ConsumerGroupHeartbeatResponse.TopicPartitions one : assignment.topicPartitions()) {
                for (int partition : one.partitions()) {
                    partitions.add(partition);
                }
            }
        }
        return "e" + response.memberEpoch() + " " + (assignment == null ? "-" : partitions);
    }

    private static JoinCall classic(String memberId, String protocol) {
        byte[] subscription = {0, 0, 0, 0, 0, 1, 0, 1, 't', -1, -1, -1, -1};
        return new JoinCall(
                new JoinGroupRequest()
                        .groupId("g")
                        .memberId(memberId)
                        .sessionTimeoutMs(10_000)
                        .rebalanceTimeoutMs(60_000)
                        .protocolType("consumer")
                        .protocols(List.of(
                                new JoinGroupRequestProtocol().name(protocol).metadata(subscription))),
                (short) 9,
                "client",
                "host",
                response -> {});
    }

    private static SyncGroupRequest sync(String memberId, int generation) {
        return new SyncGroupRequest().groupId("g").memberId(memberId).generationId(generation);
    }

    private static HeartbeatRequest heartbeat(String memberId, int generation) {
        return new HeartbeatRequest().groupId("g").memberId(memberId).generationId(generation);
    }
}
