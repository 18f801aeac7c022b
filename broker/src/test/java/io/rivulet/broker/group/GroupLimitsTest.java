package io.rivulet.broker.group;

import static io.rivulet.broker.group.GroupCalls.codes;
import static io.rivulet.broker.group.GroupCalls.commit;
import static io.rivulet.broker.group.GroupCalls.deleteGroup;
import static io.rivulet.broker.group.GroupCalls.join;
import static io.rivulet.broker.group.GroupCalls.settings;
import static io.rivulet.broker.group.GroupCalls.stableGroup;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The limits of groups: their number and their heap. */
final class GroupLimitsTest {
    private final InPlace broker = new InPlace();

    GroupLimitsTest() {
        broker.createTopic("t", 4);
    }

    @Test
    void theNumberOfGroupsIsLimited() {
        InPlace small = new InPlace(settings(3, 1 << 24));
        small.createTopic("t", 4);
        for (int i = 0; i < 3; i++) {
            commit(small, "g" + i, "t", 0, 1);
            small.allDurable();
        }
        GroupCalls.Answer<JoinGroupResponse> joined = join(small, "g4", "", "consumer", new byte[0]);

        assertThat(codes(commit(small, "g3", "t", 0, 1))).containsOnly(ErrorCode.POLICY_VIOLATION.code());
        assertThat(joined.get().errorCode()).isEqualTo(ErrorCode.POLICY_VIOLATION.code());
        assertThat(small.groupCount()).isEqualTo(3);
        GroupCalls.Answer<OffsetCommitResponse> known = commit(small, "g2", "t", 0, 2);
        small.allDurable();
        assertThat(codes(known)).containsOnly(ErrorCode.NONE.code());
    }

    @Test
    void abandonedGroupsAreRemovedAndTheirHeapIsLimited() {
        InPlace small = new InPlace(settings(100_000, 1 << 20));
        small.createTopic("t", 4);
        long refused = 0;
        for (int i = 0; i < 10_000; i++) {
            GroupCalls.Answer<JoinGroupResponse> joined = join(small, "random" + i, "", "consumer", new byte[5000]);
            refused += joined.get().errorCode() == ErrorCode.POLICY_VIOLATION.code() ? 1 : 0;
        }
        assertThat(refused).isPositive();
        assertThat(small.heap.usedBytes()).isLessThanOrEqualTo((1 << 20) + 10_000);

        small.advance(60_000L * 1_000_000);

        assertThat(small.groupCount()).isZero();
        assertThat(small.timers.size()).isZero();
        assertThat(small.heap.usedBytes()).isZero();
    }

    @Test
    void commitsInFlightCountAgainstTheHeapLimit() {
        long limit = 64 << 10;
        InPlace small = new InPlace(settings(100_000, limit));
        small.createTopic("wide", 10_000);
        List<GroupCalls.Answer<OffsetCommitResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            answers.add(commit(small, "g", "wide", i, i));
        }
        small.allDurable();

        assertThat(answers.stream().filter(answer -> codes(answer).get(0) == ErrorCode.NONE.code()))
                .isNotEmpty();
        assertThat(answers.stream().filter(answer -> codes(answer).get(0) == ErrorCode.POLICY_VIOLATION.code()))
                .isNotEmpty();
        assertThat(small.heap.usedBytes()).isLessThanOrEqualTo(limit);
        GroupCalls.Answer<OffsetCommitResponse> again = commit(small, "g", "wide", 0, 7);
        small.allDurable();
        assertThat(codes(again)).containsOnly(ErrorCode.NONE.code());
    }

    @Test
    void existingOffsetsCanBeCommittedAtTheHeapLimit() {
        InPlace small = new InPlace(settings(100, 8 << 10));
        small.createTopic("wide", 1000);
        ErrorCode[] first = new ErrorCode[1000];
        for (int round = 0; round < 2; round++) {
            for (int partition = 0; partition < 1000; partition++) {
                GroupCalls.Answer<OffsetCommitResponse> answer = commit(small, "g", "wide", partition, round);
                small.allDurable();
                ErrorCode code = codes(answer).get(0) == 0 ? ErrorCode.NONE : ErrorCode.POLICY_VIOLATION;
                assertThat(codes(answer)).containsOnly(code.code());
                first[partition] = round == 0 ? code : first[partition];
                assertThat(code).isEqualTo(first[partition]);
            }
        }

        assertThat(first).contains(ErrorCode.NONE, ErrorCode.POLICY_VIOLATION);
    }

    @Test
    void existingMembersCanRejoinAtTheHeapLimit() {
        InPlace small = new InPlace(settings(1000, 64 << 10));
        small.createTopic("t", 4);
        String id = join(small, "team", "", "consumer", new byte[100]).get().memberId();
        GroupCalls.Answer<JoinGroupResponse> first = join(small, "team", id, "consumer", new byte[100]);
        small.advance(6000L * 1_000_000);
        assertThat(first.get().errorCode()).isZero();
        for (int i = 0; i < 1000; i++) {
            commit(small, "filler" + i, "t", 0, 1);
            small.allDurable();
        }

        GroupCalls.Answer<JoinGroupResponse> again = join(small, "team", id, "consumer", new byte[100]);
        GroupCalls.Answer<JoinGroupResponse> larger = join(small, "team", id, "consumer", new byte[5000]);
        GroupCalls.Answer<JoinGroupResponse> other = join(small, "other", "", "consumer", new byte[100]);

        assertThat(again.get().errorCode()).isZero();
        assertThat(larger.get().errorCode()).isEqualTo(ErrorCode.POLICY_VIOLATION.code());
        assertThat(other.get().errorCode()).isEqualTo(ErrorCode.POLICY_VIOLATION.code());
    }

    /** A request may name a hundred protocols, and each name may be long. */
    @Test
    void existingMembersCannotAddLongNamesOfProtocolsAtTheHeapLimit() {
        int limit = 1 << 20;
        InPlace small = new InPlace(settings(100, limit));
        List<ErrorCode> codes = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ids.add(join(small, "g" + i, "", "any", new byte[0]).get().memberId());
            join(small, "g" + i, ids.get(i), "any", new byte[0]);
        }
        for (int member = 0; member < ids.size(); member++) {
            List<JoinGroupRequestProtocol> protocols = new ArrayList<>();
            protocols.add(new JoinGroupRequestProtocol().name("range").metadata(new byte[0]));
            for (int i = 0; i < 99; i++) {
                protocols.add(new JoinGroupRequestProtocol()
                        .name("n".repeat(1000) + i)
                        .metadata(new byte[0]));
            }
            JoinGroupRequest again = new JoinGroupRequest()
                    .groupId("g" + member)
                    .memberId(ids.get(member))
                    .sessionTimeoutMs(10_000)
                    .rebalanceTimeoutMs(20_000)
                    .protocolType("any")
                    .protocols(protocols);
            small.groups.join(new JoinCall(
                    again, (short) 9, "client", "/host", answer -> codes.add(ErrorCode.forCode(answer.errorCode()))));
        }
        assertThat(small.heap.usedBytes()).isLessThanOrEqualTo(limit);
        assertThat(codes).contains(ErrorCode.POLICY_VIOLATION);
    }

    @Test
    void subscribedTopicsCountAgainstTheHeapLimit() {
        int topics = 10_000;
        String[] names = IntStream.range(0, topics).mapToObj(i -> "topic-" + i).toArray(String[]::new);
        long sent = 10;
        for (String name : names) {
            sent += Short.BYTES + name.length();
        }

        stableGroup(broker, "g", names);

        assertThat(broker.heap.usedBytes()).isGreaterThanOrEqualTo(sent + 2L * Long.BYTES * topics);
    }

    /** Ids, racks, names of clients and expressions may be long; no rights are needed but READ on the group. */
    @Test
    void longTextsOfMembersOfTheConsumerProtocolAreLimited() {
        InPlace small = new InPlace(settings(100, 1 << 20));
        List<ErrorCode> codes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            GroupCalls.Answer<ConsumerGroupHeartbeatResponse> joined = new GroupCalls.Answer<>();
            small.consumers.heartbeat(
                    new ConsumerGroupHeartbeatRequest()
                            .groupId("g")
                            .memberId(withLength("member", i))
                            .instanceId(withLength("instance", i))
                            .rackId(withLength("rack", i))
                            .rebalanceTimeoutMs(60_000)
                            .subscribedTopicRegex("a.*")
                            .topicPartitions(List.of()),
                    (short) 1,
                    "client",
                    "/host",
                    Access.UNLIMITED,
                    joined::is);
            small.allDurable();
            codes.add(ErrorCode.forCode(joined.get().errorCode()));
        }

        assertThat(codes).contains(ErrorCode.NONE).endsWith(ErrorCode.POLICY_VIOLATION);
        assertThat(small.heap.usedBytes()).isLessThanOrEqualTo(1 << 20);
    }

    /** After each failed heartbeat, Kafka's client sends all that it has again, in any order; a refusal ends it. */
    @Test
    void membersThatRepeatOrShortenWhatTheyHaveAlwaysHaveRoom() {
        InPlace small = new InPlace(settings(1000, 64 << 10));
        small.createTopic("t", 4);
        List<String> names = IntStream.range(0, 100).mapToObj(i -> "t" + i).toList();
        List<String> inOtherOrder = new ArrayList<>(names);
        Collections.reverse(inOtherOrder);
        assertThat(consumerHeartbeat(small, 0, names)).isEqualTo(ErrorCode.NONE);
        assertThat(shareHeartbeat(small, 0, names)).isEqualTo(ErrorCode.NONE);
        for (int i = 0; i < 1000; i++) {
            commit(small, "filler" + i, "t", 0, 1);
            small.allDurable();
        }
        assertThat(small.heap.hasRoomFor(100)).isFalse();

        assertThat(consumerHeartbeat(small, 0, inOtherOrder)).isEqualTo(ErrorCode.NONE);
        assertThat(shareHeartbeat(small, 0, inOtherOrder)).isEqualTo(ErrorCode.NONE);
        assertThat(consumerHeartbeat(small, 0, names.subList(0, 99))).isEqualTo(ErrorCode.NONE);
        assertThat(shareHeartbeat(small, 0, names.subList(0, 99))).isEqualTo(ErrorCode.NONE);
        assertThat(consumerHeartbeat(small, 9, List.of("a".repeat(1000)))).isEqualTo(ErrorCode.FENCED_MEMBER_EPOCH);
        assertThat(consumerHeartbeat(small, 0, List.of("a".repeat(10_000)))).isEqualTo(ErrorCode.POLICY_VIOLATION);
        assertThat(shareHeartbeat(small, 0, List.of("a".repeat(10_000)))).isEqualTo(ErrorCode.POLICY_VIOLATION);
    }

    private static ErrorCode consumerHeartbeat(InPlace place, int epoch, List<String> names) {
        GroupCalls.Answer<ConsumerGroupHeartbeatResponse> answer = new GroupCalls.Answer<>();
        place.consumers.heartbeat(
                new ConsumerGroupHeartbeatRequest()
                        .groupId("consumers")
                        .memberId("m")
                        .memberEpoch(epoch)
                        .rebalanceTimeoutMs(60_000)
                        .subscribedTopicNames(names)
                        .topicPartitions(List.of()),
                (short) 1,
                "client",
                "/host",
                Access.UNLIMITED,
                answer::is);
        place.allDurable();
        return ErrorCode.forCode(answer.get().errorCode());
    }

    private static ErrorCode shareHeartbeat(InPlace place, int epoch, List<String> names) {
        GroupCalls.Answer<ShareGroupHeartbeatResponse> answer = new GroupCalls.Answer<>();
        place.shares.heartbeat(
                new ShareGroupHeartbeatRequest()
                        .groupId("shares")
                        .memberId("m")
                        .memberEpoch(epoch)
                        .subscribedTopicNames(names),
                "client",
                "/host",
                answer::is);
        place.allDurable();
        return ErrorCode.forCode(answer.get().errorCode());
    }

    /** They may join a group of the consumer protocol, and their metadata may be as long as a request. */
    @Test
    void metadataOfClassicMembersOfTheConsumerProtocolIsLimited() {
        InPlace small = new InPlace(settings(100, 1 << 20));
        small.consumers.heartbeat(
                new ConsumerGroupHeartbeatRequest()
                        .groupId("g")
                        .memberId("first")
                        .rebalanceTimeoutMs(60_000)
                        .subscribedTopicNames(List.of("t"))
                        .topicPartitions(List.of()),
                (short) 1,
                "client",
                "/host",
                Access.UNLIMITED,
                response -> {});
        small.allDurable();
        byte[] metadata = Arrays.copyOf(new byte[] {0, 0, 0, 0, 0, 1, 0, 1, 't', 0, 4, 0, 0}, 13 + (4 << 16));
        List<ErrorCode> codes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            GroupCalls.Answer<JoinGroupResponse> joined = join(small, "g", "m" + i, "consumer", metadata);
            small.allDurable();
            codes.add(ErrorCode.forCode(joined.get().errorCode()));
        }

        assertThat(codes).contains(ErrorCode.NONE).endsWith(ErrorCode.POLICY_VIOLATION);
        assertThat(small.heap.usedBytes()).isLessThanOrEqualTo(1 << 20);
    }

    @Test
    void longTextsOfMembersOfShareGroupsAreLimited() {
        InPlace small = new InPlace(settings(100, 1 << 20));
        List<ErrorCode> codes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            GroupCalls.Answer<ShareGroupHeartbeatResponse> joined = new GroupCalls.Answer<>();
            small.shares.heartbeat(
                    new ShareGroupHeartbeatRequest()
                            .groupId("g" + i / 50)
                            .memberId("m" + i)
                            .rackId(withLength("rack", i))
                            .subscribedTopicNames(List.of("t")),
                    "client",
                    "/host",
                    joined::is);
            small.allDurable();
            codes.add(ErrorCode.forCode(joined.get().errorCode()));
        }

        assertThat(codes).contains(ErrorCode.NONE).endsWith(ErrorCode.POLICY_VIOLATION);
        assertThat(small.heap.usedBytes()).isBetween(1L << 19, 1L << 20);
    }

    private static String withLength(String kind, int number) {
        return kind + number + "-".repeat(20_000);
    }

    @Test
    void removedGroupsReleaseTheirHeap() {
        stableGroup(broker, "g", "t");
        commit(broker, "simple", "t", 0, 7);
        broker.allDurable();
        assertThat(broker.heap.usedBytes()).isPositive();

        broker.advance(100_000L * 1_000_000); // the members' sessions end
        broker.allDurable();
        deleteGroup(broker, "g");
        deleteGroup(broker, "simple");
        broker.allDurable();

        assertThat(broker.groupCount()).isZero();
        assertThat(broker.heap.usedBytes()).isZero();
        assertThat(broker.timers.size()).isZero();
    }
}
