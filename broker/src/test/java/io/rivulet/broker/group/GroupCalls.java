package io.rivulet.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.coordinator.LongQuestions;
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
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.rivulet.protocol.message.SyncGroupRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Requests to groups, and their responses. */
final class GroupCalls {
    static final short V9 = 9;

    private GroupCalls() {}

    static final class Answer<T> {
        @Nullable
        T value;

        void is(T answer) {
            assertThat(value).as("answered once").isNull();
            value = answer;
        }

        T get() {
            return Objects.requireNonNull(value, "answered");
        }
    }

    static GroupSettings settings(int maxGroups, long maxHeapBytes) {
        return new GroupSettings(6000, 1_800_000, 3000, 5, 100, 1000_000, 10_000, maxGroups, maxHeapBytes);
    }

    static Answer<OffsetCommitResponse> commit(InPlace to, String group, String name, int partition, long offset) {
        Answer<OffsetCommitResponse> answer = new Answer<>();
        to.offsets.commit(request(group, name, partition, offset), V9, answer::is);
        return answer;
    }

    /** Commits offset 9 to partition 0 of t. */
    static Answer<OffsetCommitResponse> commitAs(
            InPlace to, String group, String member, int generation, short version) {
        Answer<OffsetCommitResponse> answer = new Answer<>();
        to.offsets.commit(
                request(group, "t", 0, 9).memberId(member).generationIdOrMemberEpoch(generation), version, answer::is);
        return answer;
    }

    static OffsetCommitRequest request(String group, String name, int partition, long offset) {
        return new OffsetCommitRequest()
                .groupId(group)
                .topics(List.of(new OffsetCommitRequestTopic()
                        .name(name)
                        .partitions(List.of(new OffsetCommitRequestPartition()
                                .partitionIndex(partition)
                                .committedOffset(offset)))));
    }

    /** Empty before the response. */
    static List<Short> codes(Answer<OffsetCommitResponse> answer) {
        return answer.value == null
                ? List.of()
                : answer.value.topics().stream()
                        .flatMap(one -> one.partitions().stream())
                        .map(one -> one.errorCode())
                        .toList();
    }

    static long fetched(InPlace from, String group, String name, int partition) {
        List<OffsetFetchRequestTopics> topics =
                List.of(new OffsetFetchRequestTopics().name(name).partitionIndexes(new int[] {partition}));
        return fetch(from, group, topics, V9).get(0).committedOffset();
    }

    static List<OffsetFetchResponsePartitions> fetch(
            InPlace from, String group, @Nullable List<OffsetFetchRequestTopics> topics, short version) {
        return LongQuestions.complete(from.offsetFetch.fetch(
                        new OffsetFetchRequest()
                                .groups(List.of(new OffsetFetchRequestGroup()
                                        .groupId(group)
                                        .topics(topics))),
                        version,
                        Access.UNLIMITED))
                .groups()
                .get(0)
                .topics()
                .stream()
                .flatMap(one -> one.partitions().stream())
                .toList();
    }

    static short deleteGroup(InPlace in, String id) {
        Answer<DeleteGroupsResponse> answer = new Answer<>();
        in.groups.delete(new DeleteGroupsRequest().groupsNames(List.of(id)), answer::is);
        in.allDurable();
        return answer.get().results().get(0).errorCode();
    }

    static Answer<JoinGroupResponse> join(InPlace to, String group, String memberId, String type, byte[] metadata) {
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

    /** Creates a group with one consumer that subscribes to the topics. */
    static JoinGroupResponse stableGroup(InPlace broker, String group, String... subscribed) {
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
