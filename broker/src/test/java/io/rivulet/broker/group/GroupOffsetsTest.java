package io.rivulet.broker.group;

import static io.rivulet.broker.group.GroupCalls.V9;
import static io.rivulet.broker.group.GroupCalls.codes;
import static io.rivulet.broker.group.GroupCalls.commit;
import static io.rivulet.broker.group.GroupCalls.commitAs;
import static io.rivulet.broker.group.GroupCalls.deleteGroup;
import static io.rivulet.broker.group.GroupCalls.fetch;
import static io.rivulet.broker.group.GroupCalls.fetched;
import static io.rivulet.broker.group.GroupCalls.join;
import static io.rivulet.broker.group.GroupCalls.stableGroup;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestPartition;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commits, fetches, deletion and snapshots of offsets. */
final class GroupOffsetsTest {
    private final InPlace broker = new InPlace();
    private final Uuid topic = broker.createTopic("t", 4);

    // ---- durability ----

    @Test
    void aCommitIsAnsweredAndVisibleWhenItIsDurable() {
        GroupCalls.Answer<OffsetCommitResponse> answer = commit(broker, "g", "t", 1, 42);
        assertThat(answer.value).isNull();
        assertThat(fetched(broker, "g", "t", 1)).isEqualTo(-1);

        broker.allDurable();

        assertThat(codes(answer)).containsOnly(ErrorCode.NONE.code());
        assertThat(fetched(broker, "g", "t", 1)).isEqualTo(42);
        assertThat(fetched(broker.restarted(InPlace.SETTINGS), "g", "t", 1)).isEqualTo(42);
    }

    @Test
    void aFailedCommitIsNotVisibleAndTheClientMayRetry() {
        GroupCalls.Answer<OffsetCommitResponse> answer = commit(broker, "g", "t", 1, 42);
        broker.oneFails(new RefusedException(ErrorCode.KAFKA_STORAGE_ERROR, "no space"));

        assertThat(codes(answer)).containsOnly(ErrorCode.COORDINATOR_NOT_AVAILABLE.code());
        assertThat(fetched(broker, "g", "t", 1)).isEqualTo(-1);
        assertThat(broker.groupCount()).as("no trace of the group").isZero();
    }

    @Test
    void aLargeCommitIsSplitIntoEntries() {
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
    void aSnapshotDuringChangesAndTheLogAfterItRestoreTheState() {
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

        assertThat(next.dump()).isEqualTo(broker.dump());
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
    void aSnapshotContainsGroupsWithMembers() {
        stableGroup(broker, "g", "t");
        commit(broker, "simple", "t", 0, 7);
        broker.allDurable();

        assertThat(broker.reloaded().dump()).isEqualTo(broker.dump()).contains("simple");
    }

    // ---- refusals ----

    @Test
    void eachPartitionHasItsOwnError() {
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
        GroupCalls.Answer<OffsetCommitResponse> answer = new GroupCalls.Answer<>();
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
    void topicsAreFoundByIdFromVersion10() {
        for (Uuid id : List.of(topic, new Uuid(1, 2))) {
            GroupCalls.Answer<OffsetCommitResponse> answer = new GroupCalls.Answer<>();
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
    void aMemberOfAnUnknownGroupGetsAnError() {
        assertThat(codes(commitAs(broker, "none", "m", 3, (short) 8)))
                .containsOnly(ErrorCode.ILLEGAL_GENERATION.code());
        assertThat(codes(commitAs(broker, "none", "m", 3, V9))).containsOnly(ErrorCode.GROUP_ID_NOT_FOUND.code());
    }

    @Test
    void onlyMembersCommitToAGroupWithMembers() {
        stableGroup(broker, "g", "t");

        assertThat(codes(commitAs(broker, "g", "", -1, V9))).containsOnly(ErrorCode.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void groupIdsAndSessionTimeoutsAreChecked() {
        assertThat(join(broker, "", "", "consumer", new byte[0]).get().errorCode())
                .isEqualTo(ErrorCode.INVALID_GROUP_ID.code());
        GroupCalls.Answer<JoinGroupResponse> answer = new GroupCalls.Answer<>();
        broker.groups.join(new JoinCall(
                new JoinGroupRequest().groupId("g").sessionTimeoutMs(10), V9, "client", "/host", answer::is));
        assertThat(answer.get().errorCode()).isEqualTo(ErrorCode.INVALID_SESSION_TIMEOUT.code());
        assertThat(broker.groupCount()).isZero();
    }

    // ---- deletion ----

    @Test
    void offsetsOfSubscribedTopicsAreNotDeleted() {
        broker.createTopic("other", 1);
        JoinGroupResponse member = stableGroup(broker, "g", "t");
        assertThat(codes(commitAs(broker, "g", member.memberId(), member.generationId(), V9)))
                .isEmpty();
        broker.allDurable();

        GroupCalls.Answer<OffsetDeleteResponse> answer = new GroupCalls.Answer<>();
        broker.offsets.delete(
                new OffsetDeleteRequest()
                        .groupId("g")
                        .topics(List.of(
                                deletion("t", 0), deletion("other", 0), deletion("other", 1), deletion("unknown", 0))),
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
    void offsetsOfAGroupWithUnknownTopicsAreNotDeleted() {
        GroupCalls.Answer<JoinGroupResponse> joined = join(broker, "workers", "", "connect", new byte[] {1});
        join(broker, "workers", joined.get().memberId(), "connect", new byte[] {1});

        GroupCalls.Answer<OffsetDeleteResponse> inUse = new GroupCalls.Answer<>();
        GroupCalls.Answer<OffsetDeleteResponse> missing = new GroupCalls.Answer<>();
        broker.offsets.delete(new OffsetDeleteRequest().groupId("workers"), inUse::is);
        broker.offsets.delete(new OffsetDeleteRequest().groupId("unknown"), missing::is);

        assertThat(inUse.get().errorCode()).isEqualTo(ErrorCode.NON_EMPTY_GROUP.code());
        assertThat(missing.get().errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
    }

    @Test
    void anEmptyGroupIsDeletedAndStaysDeletedAfterARestart() {
        stableGroup(broker, "g", "t");
        commit(broker, "simple", "t", 0, 7);
        broker.allDurable();

        assertThat(deleteGroup(broker, "g")).isEqualTo(ErrorCode.NON_EMPTY_GROUP.code());
        assertThat(deleteGroup(broker, "never")).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
        assertThat(deleteGroup(broker, "simple")).isEqualTo(ErrorCode.NONE.code());
        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(-1);
        assertThat(fetched(broker.restarted(InPlace.SETTINGS), "simple", "t", 0))
                .isEqualTo(-1);
    }
}
