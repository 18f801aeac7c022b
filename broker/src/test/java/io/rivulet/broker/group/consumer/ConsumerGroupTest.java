package io.rivulet.broker.group.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
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
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What members of a group are told: step by step, and every error. */
final class ConsumerGroupTest {
    private final TestGroup world = new TestGroup();
    private final Topic topic = world.topics.create("t", 4);

    // ---- the way of an assignment ----

    @Test
    void aMemberGivesUpBeforeTheOtherGets() {
        assertThat(told(world.ask(join("a")))).isEqualTo("e1 [0, 1, 2, 3]");
        assertThat(told(world.ask(join("b")))).isEqualTo("e2 []");
        assertThat(world.group().stateName()).isEqualTo("Reconciling");

        assertThat(told(world.ask(beat("a", 1)))).isEqualTo("e1 [0, 1]");
        assertThat(told(world.ask(beat("b", 2)))).as("not given up yet").isEqualTo("e2 -");
        assertThat(told(world.ask(beat("a", 1)))).as("says nothing of it").isEqualTo("e1 -");
        assertThat(told(world.ask(beat("a", 1, 0, 1)))).isEqualTo("e2 -");
        assertThat(told(world.ask(beat("b", 2)))).isEqualTo("e2 [2, 3]");
        assertThat(world.group().stateName()).isEqualTo("Stable");
    }

    @Test
    void aGroupThatTakesLongToShareWaitsForItsTurn() {
        world.time.everyLookTakes(50);
        assertThat(told(world.ask(join("a")))).isEqualTo("e1 [0, 1, 2, 3]");
        world.time.everyLookTakes(0);

        assertThat(told(world.ask(join("b")))).as("nothing is shared anew").isEqualTo("e1 []");
        assertThat(told(world.ask(beat("a", 1)))).isEqualTo("e1 -");

        world.time.pass(1_000);
        world.settle();
        assertThat(told(world.ask(beat("a", 1)))).isEqualTo("e1 [0, 1]");
        assertThat(told(world.ask(beat("a", 1, 0, 1)))).isEqualTo("e2 -");
        assertThat(told(world.ask(beat("b", 1)))).isEqualTo("e2 [2, 3]");
        assertThat(told(world.ask(join("c")))).as("it was quick the last time").startsWith("e3");
    }

    @Test
    void theDifferentSubscriptionsOfAGroupHaveABoundInSum() {
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
    void anAnswerThatWasLostIsGivenAgain() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.ask(beat("a", 1));
        world.ask(beat("a", 1, 0, 1)); // to epoch 2, but the member doesn't hear of it

        assertThat(told(world.ask(full("a", 1, 0, 1)))).isEqualTo("e2 [0, 1]");
        refused(ErrorCode.FENCED_MEMBER_EPOCH, () -> world.ask(beat("a", 1)));
        refused(ErrorCode.FENCED_MEMBER_EPOCH, () -> world.ask(beat("a", 1, 0, 1, 2)));
        refused(ErrorCode.FENCED_MEMBER_EPOCH, () -> world.ask(beat("a", 3)));
    }

    @Test
    void whoDoesNotGiveUpInTimeIsFenced() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.ask(beat("a", 1));
        for (int i = 0; i < 3; i++) {
            assertThat(told(world.ask(beat("a", 1)))).as("alive").isEqualTo("e1 -");
            world.time.pass(20_000);
            world.ask(beat("b", Objects.requireNonNull(world.group().members().find("b")).epoch));
        }
        world.settle();
        assertThat(world.group().members().find("a")).isNull();
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> world.ask(beat("a", 1)));
    }

    @Test
    void whoIsSilentIsForgottenAndTheOthersGetWhatItHad() {
        world.ask(join("a"));
        world.ask(join("b"));
        world.time.pass(40_000);
        world.ask(beat("b", 2));
        world.time.pass(10_000);
        world.settle();

        assertThat(told(world.ask(beat("b", 2)))).isEqualTo("e3 [0, 1, 2, 3]");
    }

    @Test
    void noAnswerBeforeTheEntryIsDurable() {
        List<ConsumerGroupHeartbeatResponse> answers = new ArrayList<>();
        world.heartbeat(join("a"), answers::add);
        world.heartbeat(beat("a", 1), answers::add);
        assertThat(answers).isEmpty();

        world.appendDurable();
        assertThat(answers).hasSize(2);
        world.heartbeat(beat("a", 1), answers::add);
        assertThat(answers).as("nothing new, nothing to wait for").hasSize(3);
    }

    @Test
    void whatDidNotGetIntoTheLogGoesWithTheNextEntry() {
        List<ConsumerGroupHeartbeatResponse> answers = new ArrayList<>();
        world.heartbeat(join("a"), answers::add);
        world.appendFails();
        assertThat(answers).isEmpty();
        assertThat(told(world.ask(join("a")))).isEqualTo("e1 [0, 1, 2, 3]");

        world.restart();
        assertThat(told(world.ask(beat("a", 1)))).isEqualTo("e1 -");
    }

    @Test
    void aRegularExpressionCountsWhenItIsMatchedAndIsMatchedAgainAfterARestart() {
        world.topics.create("tt", 2);
        List<ConsumerGroupHeartbeatResponse> answers = new ArrayList<>();
        world.heartbeat(join("a").subscribedTopicNames(null).subscribedTopicRegex("t+"), answers::add);
        world.appendDurable();
        assertThat(told(answers.get(0))).isEqualTo("e1 []");
        world.settle();
        assertThat(told(world.ask(beat("a", 1)))).isEqualTo("e2 [0, 1, 2, 3, 0, 1]");

        world.restart();
        refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, () -> world.ask(beat("a", 2)));
        world.settle();
        assertThat(told(world.ask(beat("a", 2)))).as("the same as before").isEqualTo("e2 -");
    }

    @Test
    void theOneWithARegularExpressionMayGoAfterARestartAndNobodyWaitsForItsTopics() {
        world.ask(join("a"));
        world.heartbeat(join("b").subscribedTopicNames(null).subscribedTopicRegex("t+"), answer -> {});
        world.settle();
        world.restart();

        world.ask(beat("b", -1));

        assertThat(told(world.ask(full("a", 1, 0, 1, 2, 3)))).endsWith("[0, 1, 2, 3]");
    }

    @Test
    void whatIsTheSameAfterAllIsNotSharedAnew() {
        world.ask(join("a"));
        world.topics.create("unrelated", 3);
        world.time.pass(5_000);
        assertThat(told(world.ask(beat("a", 1)))).isEqualTo("e1 -");
        world.topics.grow("t", 1);
        world.time.pass(5_000);
        assertThat(told(world.ask(beat("a", 1)))).isEqualTo("e2 [0, 1, 2, 3, 4]");
    }

    @Test
    void aGroupOfAHundredThousandQueuesTakesFewBytes() {
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
    void aStaticMemberTakesOverWhatItHad() {
        world.ask(join("a").instanceId("i"));
        world.ask(join("b"));
        refused(ErrorCode.UNRELEASED_INSTANCE_ID, () -> world.ask(join("c").instanceId("i")));
        assertThat(told(world.ask(leave("a", -2).instanceId("i")))).isEqualTo("e-2 -");
        assertThat(told(world.ask(beat("b", 2)))).as("it is only away").isEqualTo("e2 -");

        assertThat(told(world.ask(join("c").instanceId("i")))).isEqualTo("e2 [0, 1]");
        refused(ErrorCode.FENCED_INSTANCE_ID, () -> world.ask(beat("a", 2).instanceId("i")));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> world.ask(beat("a", 2)));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> world.ask(beat("a", 2).instanceId("j")));
    }

    @Test
    void aStaticMemberThatStaysAwayIsForgotten() {
        world.ask(join("a").instanceId("i"));
        world.ask(leave("a", -2).instanceId("i"));
        world.time.pass(45_001);
        assertThat(world.group().isEmpty()).isTrue();
    }

    // ---- errors ----

    @Test
    void whatMakesNoSenseIsRefused() {
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
    void aFullGroupTakesNobodyMore() {
        ConsumerGroupSettings defaults = world.settings;
        world.settings(new ConsumerGroupSettings(5000, 45_000, 1, defaults.assignors(), true, true));
        world.ask(join("a"));
        refused(ErrorCode.GROUP_MAX_SIZE_REACHED, () -> world.ask(join("b")));
        assertThat(told(world.ask(join("a")))).isEqualTo("e1 [0, 1, 2, 3]");
    }

    @Test
    void offsetsAreForMembersOfTheirEpoch() {
        assertThat(world.group().checkCommit("", null, -1)).isEqualTo(ErrorCode.NONE);
        world.ask(join("a"));
        assertThat(world.group().checkCommit("", null, -1)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(world.group().checkCommit("a", null, 1)).isEqualTo(ErrorCode.NONE);
        assertThat(world.group().checkCommit("a", null, 0)).isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
        assertThat(world.group().checkFetch(null, -1)).isEqualTo(ErrorCode.NONE);
        assertThat(world.group().checkFetch("b", 1)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(world.group().checkFetch("a", 2)).isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
    }

    // ---- members of the classic protocol ----

    @Test
    void aClassicMemberGoesAlong() {
        world.ask(join("a"));
        ClassicMemberAdapter door = world.group().classicMembers();
        JoinGroupResponse asked = door.join(classic("", "range"));
        assertThat(asked.errorCode()).isEqualTo(ErrorCode.MEMBER_ID_REQUIRED.code());
        JoinGroupResponse joined = door.join(classic(asked.memberId(), "range"));
        assertThat(joined.generationId()).isEqualTo(2);
        String id = asked.memberId();
        assertThat(door.sync(sync(id, 2)).assignment()).hasSizeGreaterThan(0);
        assertThat(door.heartbeat(heartbeat(id, 2))).isEqualTo(ErrorCode.NONE);

        world.ask(beat("a", 1));
        world.ask(beat("a", 1, 0, 1));
        refusedOr(ErrorCode.REBALANCE_IN_PROGRESS, () -> door.heartbeat(heartbeat(id, 2)));
        door.join(classic(id, "range"));
        assertThat(world.group().stateName()).isEqualTo("Stable");

        refused(ErrorCode.ILLEGAL_GENERATION, () -> door.heartbeat(heartbeat(id, 1)));
        refused(ErrorCode.ILLEGAL_GENERATION, () -> door.sync(sync(id, 1)));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> door.heartbeat(heartbeat("a", 2)));
        refused(ErrorCode.UNKNOWN_MEMBER_ID, () -> door.heartbeat(heartbeat("nobody", 2)));
        refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, () -> door.join(classic("c", "other")));
        refused(
                ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
                () -> door.sync(sync(id, 2).protocolName("other")));
        assertThat(world.group().checkCommit(id, null, 1)).isEqualTo(ErrorCode.ILLEGAL_GENERATION);

        assertThat(door.hasOnlyClassicMembers()).isFalse();
        world.ask(leave("a", -1));
        assertThat(door.hasOnlyClassicMembers()).isTrue();
        refused(ErrorCode.REBALANCE_IN_PROGRESS, () -> door.sync(sync(id, 2)));
        assertThat(door.handOver().members()).hasSize(1);
    }

    // ---- helpers ----

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private static void refusedOr(ErrorCode code, Callable<ErrorCode> call) {
        try {
            assertThat(call.call()).isEqualTo(code);
        } catch (RefusedException e) {
            assertThat(e.code()).isEqualTo(code);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
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

    private static String told(ConsumerGroupHeartbeatResponse response) {
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
