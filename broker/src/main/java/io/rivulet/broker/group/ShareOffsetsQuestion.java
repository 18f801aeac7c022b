package io.rivulet.broker.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.consumer.QueueSet;
import io.rivulet.broker.group.share.ShareContext;
import io.rivulet.broker.group.share.ShareGroup;
import io.rivulet.broker.group.share.ShareStates;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicWalk;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponsePartition;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The start offsets of share groups: of the topics that a request names, or of all that members have subscribed to. A
 * group that does not exist has none, as in Kafka. Offsets are read when the answer is encoded.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ShareOffsetsQuestion implements LongQuestions.Question<DescribeShareGroupOffsetsResponse> {
    private static final int TOPICS_PER_SLICE = 1000;

    private final List<DescribeShareGroupOffsetsRequestGroup> wanted;
    private final Access access;
    private final GroupTable table;
    private final ShareContext context;
    private final List<DescribeShareGroupOffsetsResponseGroup> described = new ArrayList<>();
    private @Nullable TopicWalk walk;
    /** Of the group whose topics are walked over. */
    private List<DescribeShareGroupOffsetsResponseTopic> found = new ArrayList<>();

    ShareOffsetsQuestion(
            List<DescribeShareGroupOffsetsRequestGroup> wanted, Access access, GroupTable table, ShareContext context) {
        this.wanted = once(wanted);
        this.access = access;
        this.table = table;
        this.context = context;
    }

    /** What is named again is described once: a few bytes may name all topics of a group. */
    private static List<DescribeShareGroupOffsetsRequestGroup> once(List<DescribeShareGroupOffsetsRequestGroup> named) {
        Map<String, DescribeShareGroupOffsetsRequestGroup> groups = new LinkedHashMap<>();
        for (DescribeShareGroupOffsetsRequestGroup group : named) {
            groups.putIfAbsent(group.groupId(), group);
        }
        return groups.values().stream()
                .map(group -> new DescribeShareGroupOffsetsRequestGroup()
                        .groupId(group.groupId())
                        .topics(onceOrAll(group.topics())))
                .toList();
    }

    private static @Nullable List<DescribeShareGroupOffsetsRequestTopic> onceOrAll(
            @Nullable List<DescribeShareGroupOffsetsRequestTopic> named) {
        if (named == null) {
            return null;
        }
        Map<String, int[]> partitions = new LinkedHashMap<>();
        for (DescribeShareGroupOffsetsRequestTopic topic : named) {
            partitions.putIfAbsent(topic.topicName(), topic.partitions());
        }
        List<DescribeShareGroupOffsetsRequestTopic> topics = new ArrayList<>(partitions.size());
        partitions.forEach((name, all) -> topics.add(
                new DescribeShareGroupOffsetsRequestTopic().topicName(name).partitions(once(all))));
        return topics;
    }

    private static int[] once(int[] named) {
        int[] sorted = named.clone();
        Arrays.sort(sorted);
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[count++] = sorted[i];
            }
        }
        return count == named.length ? named : Arrays.copyOf(sorted, count);
    }

    @Override
    public long parts() {
        long parts = wanted.size();
        for (DescribeShareGroupOffsetsRequestGroup group : wanted) {
            List<DescribeShareGroupOffsetsRequestTopic> topics = group.topics();
            if (topics == null) {
                parts += context.topics().size() + queuesOf(group.groupId()).size();
            } else {
                for (DescribeShareGroupOffsetsRequestTopic topic : topics) {
                    parts += topic.partitions().length;
                }
            }
        }
        return parts;
    }

    private QueueSet queuesOf(String groupId) {
        GroupSlot slot = table.find(groupId);
        return slot != null && slot.group instanceof ShareGroup group ? group.queues() : QueueSet.EMPTY;
    }

    static QueueSet queuesOf(Topic topic) {
        QueueSet.Builder queues = new QueueSet.Builder();
        topic.forEachRange(queues::addRange);
        return queues.build();
    }

    @Override
    public boolean goOn() {
        if (described.size() < wanted.size()) {
            DescribeShareGroupOffsetsRequestGroup group = wanted.get(described.size());
            List<DescribeShareGroupOffsetsRequestTopic> topics = group.topics();
            if (!access.mayGroup(Operation.DESCRIBE, group.groupId())) {
                described.add(answer(group)
                        .errorCode(ErrorCode.GROUP_AUTHORIZATION_FAILED.code())
                        .errorMessage("The client may not describe the group."));
            } else if (topics != null) {
                described.add(answer(group)
                        .topics(new LazyList<>(topics.size(), i -> named(group.groupId(), topics.get(i)))));
            } else if (walkedAll(group.groupId())) {
                described.add(answer(group).topics(found));
                walk = null;
                found = new ArrayList<>();
            }
        }
        return described.size() < wanted.size();
    }

    private static DescribeShareGroupOffsetsResponseGroup answer(DescribeShareGroupOffsetsRequestGroup group) {
        return new DescribeShareGroupOffsetsResponseGroup().groupId(group.groupId());
    }

    @Override
    public DescribeShareGroupOffsetsResponse answer() {
        return new DescribeShareGroupOffsetsResponse().groups(described);
    }

    // ---- topics of the request ----

    private DescribeShareGroupOffsetsResponseTopic named(
            String groupId, DescribeShareGroupOffsetsRequestTopic topicWanted) {
        int[] partitions = topicWanted.partitions();
        DescribeShareGroupOffsetsResponseTopic answer =
                new DescribeShareGroupOffsetsResponseTopic().topicName(topicWanted.topicName());
        if (!access.mayTopic(Operation.DESCRIBE, topicWanted.topicName())) {
            return answer.partitions(each(
                    partitions,
                    partition -> none(partition)
                            .errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code())
                            .errorMessage("The client may not describe the topic.")));
        }
        Topic topic = context.topics().find(topicWanted.topicName());
        return topic == null
                ? answer.partitions(each(partitions, ShareOffsetsQuestion::none))
                : answer.topicId(topic.id())
                        .partitions(each(partitions, partition -> position(groupId, topic, partition)));
    }

    private static List<DescribeShareGroupOffsetsResponsePartition> each(
            int[] partitions, IntFunction<DescribeShareGroupOffsetsResponsePartition> answer) {
        return new LazyList<>(partitions.length, i -> answer.apply(partitions[i]));
    }

    private static DescribeShareGroupOffsetsResponsePartition none(int partition) {
        return new DescribeShareGroupOffsetsResponsePartition()
                .partitionIndex(partition)
                .startOffset(ShareStates.Position.NONE.startOffset());
    }

    private DescribeShareGroupOffsetsResponsePartition position(String groupId, Topic topic, int partition) {
        int queueId = topic.queueId(partition);
        ShareStates.Position position = queueId == Topic.NO_QUEUE
                ? ShareStates.Position.NONE
                : context.states().read(groupId, queueId);
        return new DescribeShareGroupOffsetsResponsePartition()
                .partitionIndex(partition)
                .startOffset(position.startOffset())
                .leaderEpoch(position.leaderEpoch())
                .lag(position.lag());
    }

    // ---- all topics of a group ----

    /** Walks over some topics; true after the last. */
    private boolean walkedAll(String groupId) {
        QueueSet queues = queuesOf(groupId);
        if (queues.isEmpty()) {
            return true;
        }
        TopicWalk going = walk == null ? context.topics().walk() : walk;
        walk = going;
        for (int i = 0; i < TOPICS_PER_SLICE && going.hasNext(); i++) {
            going.next(topic -> add(groupId, topic, queues));
        }
        return !going.hasNext();
    }

    private void add(String groupId, Topic topic, QueueSet queues) {
        QueueSet known = queuesOf(topic).intersect(queues);
        if (known.isEmpty() || !access.mayTopic(Operation.DESCRIBE, topic.name())) {
            return;
        }
        int[] partitions = new int[known.size()];
        int filled = 0;
        for (int partition = 0; filled < partitions.length; partition++) {
            if (known.contains(topic.queueId(partition))) {
                partitions[filled++] = partition;
            }
        }
        found.add(new DescribeShareGroupOffsetsResponseTopic()
                .topicName(topic.name())
                .topicId(topic.id())
                .partitions(each(partitions, partition -> position(groupId, topic, partition))));
    }
}
