package io.rivulet.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestPartition;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is committed, when it is answered, and what is left of it. */
final class GroupOffsetsTest {
    private static final short V9 = 9;

    private final InPlace broker = new InPlace();
    private final Uuid topic = broker.createTopic("t", 4);

    // ---- durability ----

    @Test
    void aCommitIsAnsweredAndSeenWhenItIsDurableAndNotBefore() {
        Answer<OffsetCommitResponse> answer = commit(broker, "g", "t", 1, 42);
        assertThat(answer.value).isNull();
        assertThat(fetched(broker, "g", "t", 1)).isEqualTo(-1);

        broker.allDurable();

        assertThat(codes(answer)).containsOnly(ErrorCode.NONE.code());
        assertThat(fetched(broker, "g", "t", 1)).isEqualTo(42);
        assertThat(fetched(broker.restarted(InPlace.SETTINGS), "g", "t", 1)).isEqualTo(42);
    }

    @Test
    void aCommitThatIsNotStoredIsNotSeenAndTheClientComesAgain() {
        Answer<OffsetCommitResponse> answer = commit(broker, "g", "t", 1, 42);
        broker.oneFails(new RefusedException(ErrorCode.KAFKA_STORAGE_ERROR, "no space"));

        assertThat(codes(answer)).containsOnly(ErrorCode.COORDINATOR_NOT_AVAILABLE.code());
        assertThat(fetched(broker, "g", "t", 1)).isEqualTo(-1);
        assertThat(broker.groupCount()).as("nothing is left of it").isZero();
    }

    @Test
    void aHundredThousandPartitionsAreOneEntryAndAMillionAreAFew() {
        broker.createTopic("wide", 1_000_000);
        broker.offsets.commit(wide(100_000), V9, response -> {});
        assertThat(broker.appendsUnderWay()).isEqualTo(1);
        broker.allDurable();
        assertThat(fetched(broker, "g", "wide", 99_999)).isEqualTo(99_999);

        broker.offsets.commit(wide(250_000), V9, response -> {});
        assertThat(broker.appendsUnderWay()).isEqualTo(2);
        broker.allDurable();
        assertThat(broker.log).allSatisfy(entry -> assertThat(entry.length).isLessThan(4 << 20));
        assertThat(fetched(broker, "g", "wide", 249_999)).isEqualTo(249_999);
    }

    private static OffsetCommitRequest wide(int partitions) {
        return new OffsetCommitRequest()
                .groupId("g")
                .topics(List.of(new OffsetCommitRequestTopic()
                        .name("wide")
                        .partitions(IntStream.range(0, partitions)
                                .mapToObj(i -> new OffsetCommitRequestPartition()
                                        .partitionIndex(i)
                                        .committedOffset(i))
                                .toList())));
    }

    @Test
    void aSnapshotThatIsTakenWhileOffsetsChangeAndTheLogBehindItMakeTheSameState() {
        for (int i = 0; i < 10_000; i++) {
            broker.createTopic("topic" + i, 1);
            commit(broker, "g" + i % 3, "topic" + i, 0, i);
        }
        broker.allDurable();
        int before = broker.log.size();
        GroupSnapshot snapshot = new GroupSnapshot(broker.table);
        List<List<ByteBuffer>> slices = new ArrayList<>();
        int step = 0;
        for (List<ByteBuffer> slice = snapshot.slice(); slice != null; slice = snapshot.slice()) {
            slices.add(slice);
            commit(broker, "g" + step, "topic" + (step + 9000) / 3 * 3, 0, 1_000_000 + step);
            delete(broker, "g0", step * 3);
            delete(broker, "g2", 9998 - step * 3);
            broker.allDurable();
            step++;
        }
        assertThat(slices.size()).isGreaterThan(2);

        InPlace next = new InPlace();
        slices.forEach(slice -> slice.forEach(next.table::apply));
        broker.log.subList(before, broker.log.size()).forEach(entry -> next.table.apply(ByteBuffer.wrap(entry)));

        assertThat(next.told()).isEqualTo(broker.told());
    }

    private static void delete(InPlace broker, String group, int number) {
        broker.offsets.delete(
                new OffsetDeleteRequest()
                        .groupId(group)
                        .topics(List.of(new OffsetDeleteRequestTopic()
                                .name("topic" + number)
                                .partitions(List.of(new OffsetDeleteRequestPartition())))),
                response -> {});
    }

    @Test
    void aSnapshotHoldsGroupsWithMembersToo() {
        stableGroup("g", "t");
        commit(broker, "simple", "t", 0, 7);
        broker.allDurable();

        assertThat(broker.reloaded().told()).isEqualTo(broker.told()).contains("simple");
    }

    // ---- what is refused ----

    @Test
    void eachPartitionThatIsNotThereIsToldForItself() {
        OffsetCommitRequest request = new OffsetCommitRequest()
                .groupId("g")
                .topics(List.of(
                        new OffsetCommitRequestTopic()
                                .name("t")
                                .partitions(List.of(
                                        new OffsetCommitRequestPartition().partitionIndex(3),
                                        new OffsetCommitRequestPartition().partitionIndex(4),
                                        new OffsetCommitRequestPartition().committedMetadata("x".repeat(101)))),
                        new OffsetCommitRequestTopic()
                                .name("missing")
                                .partitions(List.of(new OffsetCommitRequestPartition()))));
        Answer<OffsetCommitResponse> answer = new Answer<>();
        broker.offsets.commit(request, V9, answer::is);
        broker.allDurable();

        assertThat(codes(answer))
                .containsExactly(
                        ErrorCode.NONE.code(),
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code(),
                        ErrorCode.OFFSET_METADATA_TOO_LARGE.code(),
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void topicsAreFoundByIdFromVersion10On() {
        for (Uuid id : List.of(topic, new Uuid(1, 2))) {
            Answer<OffsetCommitResponse> answer = new Answer<>();
            broker.offsets.commit(
                    new OffsetCommitRequest()
                            .groupId("g")
                            .topics(List.of(new OffsetCommitRequestTopic()
                                    .topicId(id)
                                    .partitions(List.of(new OffsetCommitRequestPartition().committedOffset(5))))),
                    (short) 10,
                    answer::is);
            broker.allDurable();
            ErrorCode expected = id.equals(topic) ? ErrorCode.NONE : ErrorCode.UNKNOWN_TOPIC_ID;
            assertThat(codes(answer)).containsExactly(expected.code());
        }
        List<OffsetFetchResponsePartitions> known = fetch(broker, "g", topics(topic), (short) 10);
        List<OffsetFetchResponsePartitions> unknown = fetch(broker, "g", topics(new Uuid(1, 2)), (short) 10);

        assertThat(known.get(0).committedOffset()).isEqualTo(5);
        assertThat(unknown.get(0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
    }

    private static List<OffsetFetchRequestTopics> topics(Uuid id) {
        return List.of(new OffsetFetchRequestTopics().topicId(id).partitionIndexes(new int[] {0}));
    }

    @Test
    void aMemberOfAGroupThatIsNotThereIsTold() {
        assertThat(codes(commitAs(broker, "none", "m", 3, (short) 8)))
                .containsOnly(ErrorCode.ILLEGAL_GENERATION.code());
        assertThat(codes(commitAs(broker, "none", "m", 3, V9))).containsOnly(ErrorCode.GROUP_ID_NOT_FOUND.code());
    }

    @Test
    void strangersCommitOnlyWhenNobodyIsInTheGroup() {
        stableGroup("g", "t");

        assertThat(codes(commitAs(broker, "g", "", -1, V9))).containsOnly(ErrorCode.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void thereAreNoMoreGroupsThanMayBe() {
        InPlace small = new InPlace(settings(3, 1 << 24));
        small.createTopic("t", 4);
        for (int i = 0; i < 3; i++) {
            commit(small, "g" + i, "t", 0, 1);
            small.allDurable();
        }
        Answer<JoinGroupResponse> joined = join(small, "g4", "", "consumer", new byte[0]);

        assertThat(codes(commit(small, "g3", "t", 0, 1))).containsOnly(ErrorCode.POLICY_VIOLATION.code());
        assertThat(joined.get().errorCode()).isEqualTo(ErrorCode.POLICY_VIOLATION.code());
        assertThat(small.groupCount()).isEqualTo(3);
        Answer<OffsetCommitResponse> known = commit(small, "g2", "t", 0, 2);
        small.allDurable();
        assertThat(codes(known)).containsOnly(ErrorCode.NONE.code());
    }

    @Test
    void randomGroupsLeaveNothingBehindAndTheHeapIsBounded() {
        InPlace small = new InPlace(settings(100_000, 1 << 20));
        small.createTopic("t", 4);
        long refused = 0;
        for (int i = 0; i < 10_000; i++) {
            Answer<JoinGroupResponse> joined = join(small, "random" + i, "", "consumer", new byte[5000]);
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
    void commitsOnTheirWayCountAndWhatIsCommittedStaysWithinTheLimit() {
        long limit = 64 << 10;
        InPlace small = new InPlace(settings(100_000, limit));
        small.createTopic("wide", 10_000);
        List<Answer<OffsetCommitResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            answers.add(commit(small, "g", "wide", i, i));
        }
        small.allDurable();

        assertThat(answers.stream().filter(answer -> codes(answer).get(0) == ErrorCode.NONE.code()))
                .isNotEmpty();
        assertThat(answers.stream().filter(answer -> codes(answer).get(0) == ErrorCode.POLICY_VIOLATION.code()))
                .isNotEmpty();
        assertThat(small.heap.usedBytes()).isLessThanOrEqualTo(limit);
        Answer<OffsetCommitResponse> again = commit(small, "g", "wide", 0, 7);
        small.allDurable();
        assertThat(codes(again)).containsOnly(ErrorCode.NONE.code());
    }

    @Test
    void groupsThatAreThereGoOnCommittingWhenThereIsNoRoomForMore() {
        InPlace small = new InPlace(settings(100, 8 << 10));
        small.createTopic("wide", 1000);
        ErrorCode[] first = new ErrorCode[1000];
        for (int round = 0; round < 2; round++) {
            for (int partition = 0; partition < 1000; partition++) {
                Answer<OffsetCommitResponse> answer = commit(small, "g", "wide", partition, round);
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
    void membersThatAreThereJoinAgainWhenThereIsNoRoomForMore() {
        InPlace small = new InPlace(settings(1000, 64 << 10));
        small.createTopic("t", 4);
        String id = join(small, "team", "", "consumer", new byte[100]).get().memberId();
        Answer<JoinGroupResponse> first = join(small, "team", id, "consumer", new byte[100]);
        small.advance(6000L * 1_000_000);
        assertThat(first.get().errorCode()).isZero();
        for (int i = 0; i < 1000; i++) {
            commit(small, "filler" + i, "t", 0, 1);
            small.allDurable();
        }

        Answer<JoinGroupResponse> again = join(small, "team", id, "consumer", new byte[100]);
        Answer<JoinGroupResponse> larger = join(small, "team", id, "consumer", new byte[5000]);
        Answer<JoinGroupResponse> other = join(small, "other", "", "consumer", new byte[100]);

        assertThat(again.get().errorCode()).isZero();
        assertThat(larger.get().errorCode()).isEqualTo(ErrorCode.POLICY_VIOLATION.code());
        assertThat(other.get().errorCode()).isEqualTo(ErrorCode.POLICY_VIOLATION.code());
    }

    @Test
    void whatIsKeptOfSubscriptionsIsCharged() {
        int topics = 10_000;
        String[] names = IntStream.range(0, topics).mapToObj(i -> "topic-" + i).toArray(String[]::new);
        long sent = 10;
        for (String name : names) {
            sent += Short.BYTES + name.length();
        }

        stableGroup("g", names);

        assertThat(broker.heap.usedBytes()).isGreaterThanOrEqualTo(sent + 2L * Long.BYTES * topics);
    }

    @Test
    void whatTheHeapIsChargedComesBack() {
        stableGroup("g", "t");
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

    @Test
    void idsAndTimeoutsAreChecked() {
        assertThat(join(broker, "", "", "consumer", new byte[0]).get().errorCode())
                .isEqualTo(ErrorCode.INVALID_GROUP_ID.code());
        Answer<JoinGroupResponse> answer = new Answer<>();
        broker.groups.join(new JoinCall(
                new JoinGroupRequest().groupId("g").sessionTimeoutMs(10), V9, "client", "/host", answer::is));
        assertThat(answer.get().errorCode()).isEqualTo(ErrorCode.INVALID_SESSION_TIMEOUT.code());
        assertThat(broker.groupCount()).isZero();
    }

    // ---- deletion ----

    @Test
    void offsetsOfTopicsInUseAreNotDeleted() {
        broker.createTopic("other", 1);
        JoinGroupResponse member = stableGroup("g", "t");
        assertThat(codes(commitAs(broker, "g", member.memberId(), member.generationId(), V9)))
                .isEmpty();
        broker.allDurable();

        Answer<OffsetDeleteResponse> answer = new Answer<>();
        broker.offsets.delete(
                new OffsetDeleteRequest()
                        .groupId("g")
                        .topics(List.of(
                                deletion("t", 0), deletion("other", 0), deletion("other", 1), deletion("gone", 0))),
                answer::is);
        broker.allDurable();

        assertThat(answer.get().topics().stream()
                        .map(one -> one.partitions().get(0).errorCode()))
                .containsExactly(
                        ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC.code(),
                        ErrorCode.NONE.code(),
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code(),
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    private static OffsetDeleteRequestTopic deletion(String name, int partition) {
        return new OffsetDeleteRequestTopic()
                .name(name)
                .partitions(List.of(new OffsetDeleteRequestPartition().partitionIndex(partition)));
    }

    @Test
    void offsetsOfMembersOfAnotherTradeAreNotDeletedAtAll() {
        Answer<JoinGroupResponse> joined = join(broker, "workers", "", "connect", new byte[] {1});
        join(broker, "workers", joined.get().memberId(), "connect", new byte[] {1});

        Answer<OffsetDeleteResponse> inUse = new Answer<>();
        Answer<OffsetDeleteResponse> missing = new Answer<>();
        broker.offsets.delete(new OffsetDeleteRequest().groupId("workers"), inUse::is);
        broker.offsets.delete(new OffsetDeleteRequest().groupId("nobody"), missing::is);

        assertThat(inUse.get().errorCode()).isEqualTo(ErrorCode.NON_EMPTY_GROUP.code());
        assertThat(missing.get().errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
    }

    @Test
    void aGroupIsDeletedWhenItIsEmptyAndStaysDeletedAfterARestart() {
        stableGroup("g", "t");
        commit(broker, "simple", "t", 0, 7);
        broker.allDurable();

        assertThat(deleteGroup(broker, "g")).isEqualTo(ErrorCode.NON_EMPTY_GROUP.code());
        assertThat(deleteGroup(broker, "never")).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
        assertThat(deleteGroup(broker, "simple")).isEqualTo(ErrorCode.NONE.code());
        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(-1);
        assertThat(fetched(broker.restarted(InPlace.SETTINGS), "simple", "t", 0))
                .isEqualTo(-1);
    }

    // ---- expiry ----

    @Test
    void offsetsOfAnEmptyGroupExpireSoLongAfterTheLastMemberHasGone() {
        JoinGroupResponse member = stableGroup("g", "t");
        commitAs(broker, "g", member.memberId(), member.generationId(), V9);
        broker.allDurable();
        broker.beginExpiry();
        broker.advance(InPlace.SETTINGS.offsetsRetentionMillis() * 1_000_000 - 1);
        broker.allDurable();
        assertThat(fetched(broker, "g", "t", 0)).isEqualTo(9);

        broker.advance(100_000L * 1_000_000); // its session had ended after 10 s
        broker.allDurable();

        assertThat(broker.groupCount()).isZero();
        assertThat(broker.restarted(InPlace.SETTINGS).groupCount()).isZero();
    }

    @Test
    void offsetsOfAGroupWithoutMembersExpireByTheirAge() {
        commit(broker, "simple", "t", 0, 1);
        broker.allDurable();
        broker.beginExpiry();
        broker.advance(InPlace.SETTINGS.offsetsRetentionMillis() * 1_000_000 / 2);
        commit(broker, "simple", "t", 1, 2);
        broker.allDurable();

        broker.advance(InPlace.SETTINGS.offsetsRetentionMillis() * 1_000_000 / 2 + 20_000L * 1_000_000);
        broker.allDurable();

        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(-1);
        assertThat(fetched(broker, "simple", "t", 1)).isEqualTo(2);
    }

    @Test
    void offsetsOfATimeThatWasTakenBackExpireAsOthersDo() {
        long retentionMillis = InPlace.SETTINGS.offsetsRetentionMillis();
        broker.shiftClock(100 * retentionMillis);
        commit(broker, "simple", "t", 0, 1);
        JoinGroupResponse member = stableGroup("g", "t");
        commitAs(broker, "g", member.memberId(), member.generationId(), V9);
        broker.allDurable();
        broker.advance(60_000L * 1_000_000); // its session ends
        broker.allDurable();
        broker.shiftClock(0);
        broker.beginExpiry();

        broker.advance(retentionMillis * 1_000_000);
        broker.allDurable();
        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(1);
        assertThat(fetched(broker, "g", "t", 0)).isEqualTo(9);

        broker.advance(2 * InPlace.SETTINGS.expiryIntervalMillis() * 1_000_000);
        broker.allDurable();
        assertThat(broker.groupCount()).isZero();
    }

    @Test
    void aCommitOnItsWayIsNeverExpiredUnread() {
        commit(broker, "simple", "t", 0, 1);
        broker.allDurable();
        broker.beginExpiry();
        broker.advance(InPlace.SETTINGS.offsetsRetentionMillis() * 1_000_000 - 1_000_000);
        Answer<OffsetCommitResponse> answer = commit(broker, "simple", "t", 0, 2);
        broker.advance(30_000L * 1_000_000); // rounds of expiry, while the entry is on its way
        broker.allDurable();
        broker.advance(10_000L * 1_000_000);
        broker.allDurable();

        assertThat(codes(answer)).containsOnly(ErrorCode.NONE.code());
        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(2);
    }

    @Test
    void offsetsOfADeletedTopicAreGoneAtOnceAndDoNotComeBackWithItsName() {
        commit(broker, "simple", "t", 0, 1);
        broker.createTopic("kept", 1);
        commit(broker, "simple", "kept", 0, 3);
        broker.allDurable();
        broker.beginExpiry();

        broker.deleteTopic(topic);
        assertThat(fetch(broker, "simple", null, V9)).hasSize(1);
        broker.createTopic("t", 4);

        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(-1);
        broker.advance(11_000L * 1_000_000);
        broker.allDurable();
        assertThat(broker.told()).doesNotContain(topic.toString());
        assertThat(fetched(broker, "simple", "kept", 0)).isEqualTo(3);
    }

    // ---- helpers ----

    private static final class Answer<T> {
        private @Nullable T value;

        void is(T answer) {
            assertThat(value).as("answered once").isNull();
            value = answer;
        }

        T get() {
            return Objects.requireNonNull(value, "answered");
        }
    }

    private static GroupSettings settings(int maxGroups, long maxHeapBytes) {
        return new GroupSettings(6000, 1_800_000, 3000, 5, 100, 1000_000, 10_000, maxGroups, maxHeapBytes);
    }

    private static Answer<OffsetCommitResponse> commit(
            InPlace to, String group, String name, int partition, long offset) {
        Answer<OffsetCommitResponse> answer = new Answer<>();
        to.offsets.commit(request(group, name, partition, offset), V9, answer::is);
        return answer;
    }

    /** To partition 0 of t, offset 9. */
    private static Answer<OffsetCommitResponse> commitAs(
            InPlace to, String group, String member, int generation, short version) {
        Answer<OffsetCommitResponse> answer = new Answer<>();
        to.offsets.commit(
                request(group, "t", 0, 9).memberId(member).generationIdOrMemberEpoch(generation), version, answer::is);
        return answer;
    }

    private static OffsetCommitRequest request(String group, String name, int partition, long offset) {
        return new OffsetCommitRequest()
                .groupId(group)
                .topics(List.of(new OffsetCommitRequestTopic()
                        .name(name)
                        .partitions(List.of(new OffsetCommitRequestPartition()
                                .partitionIndex(partition)
                                .committedOffset(offset)))));
    }

    /** None before it is answered. */
    private static List<Short> codes(Answer<OffsetCommitResponse> answer) {
        return answer.value == null
                ? List.of()
                : answer.value.topics().stream()
                        .flatMap(one -> one.partitions().stream())
                        .map(one -> one.errorCode())
                        .toList();
    }

    private static long fetched(InPlace from, String group, String name, int partition) {
        List<OffsetFetchRequestTopics> topics =
                List.of(new OffsetFetchRequestTopics().name(name).partitionIndexes(new int[] {partition}));
        return fetch(from, group, topics, V9).get(0).committedOffset();
    }

    private static List<OffsetFetchResponsePartitions> fetch(
            InPlace from, String group, @Nullable List<OffsetFetchRequestTopics> topics, short version) {
        return LongQuestions.complete(from.offsetFetch.fetch(
                        new OffsetFetchRequest()
                                .groups(List.of(new OffsetFetchRequestGroup()
                                        .groupId(group)
                                        .topics(topics))),
                        version))
                .groups()
                .get(0)
                .topics()
                .stream()
                .flatMap(one -> one.partitions().stream())
                .toList();
    }

    private static short deleteGroup(InPlace in, String id) {
        Answer<DeleteGroupsResponse> answer = new Answer<>();
        in.groups.delete(new DeleteGroupsRequest().groupsNames(List.of(id)), answer::is);
        in.allDurable();
        return answer.get().results().get(0).errorCode();
    }

    private static Answer<JoinGroupResponse> join(
            InPlace to, String group, String memberId, String type, byte[] metadata) {
        Answer<JoinGroupResponse> answer = new Answer<>();
        to.groups.join(new JoinCall(
                new JoinGroupRequest()
                        .groupId(group)
                        .memberId(memberId)
                        .sessionTimeoutMs(10_000)
                        .rebalanceTimeoutMs(20_000)
                        .protocolType(type)
                        .protocols(List.of(
                                new JoinGroupRequestProtocol().name("range").metadata(metadata))),
                V9,
                "client",
                "/host",
                answer::is));
        return answer;
    }

    /** One consumer in it, subscribed to the topics. */
    private JoinGroupResponse stableGroup(String group, String... subscribed) {
        ByteBuffer buffer = ByteBuffer.allocate(10 + 20 * subscribed.length)
                .putShort((short) 3)
                .putInt(subscribed.length);
        for (String topic : subscribed) {
            buffer.putShort((short) topic.length()).put(topic.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        byte[] metadata = Arrays.copyOf(buffer.putInt(-1).array(), buffer.position());
        String id = join(broker, group, "", "consumer", metadata).get().memberId();
        Answer<JoinGroupResponse> joined = join(broker, group, id, "consumer", metadata);
        broker.advance(10_000L * 1_000_000);
        broker.groups.sync(
                new SyncGroupRequest()
                        .groupId(group)
                        .memberId(id)
                        .generationId(joined.get().generationId()),
                response -> assertThat(response.errorCode()).isZero());
        broker.allDurable();
        return joined.get();
    }
}
