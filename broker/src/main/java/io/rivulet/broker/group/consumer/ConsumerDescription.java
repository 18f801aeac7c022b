package io.rivulet.broker.group.consumer;

import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.Assignment;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.Member;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.TopicPartitions;
import java.util.ArrayList;
import java.util.List;

/** Describes a group for ConsumerGroupDescribe. Pure functions. */
public final class ConsumerDescription {
    private static final byte CLASSIC_MEMBER = 0;
    private static final byte CONSUMER_MEMBER = 1;

    private ConsumerDescription() {}

    /** The number of members and assigned queues. */
    public static long parts(ConsumerGroup group) {
        long parts = 0;
        for (ConsumerMember member : group.members().all()) {
            parts += 1 + member.owned().size() + member.target.size();
        }
        return parts;
    }

    public static DescribedGroup of(ConsumerGroup group) {
        List<Member> members = new ArrayList<>(group.members().size());
        for (ConsumerMember member : group.members().all()) {
            members.add(new Member()
                    .memberId(member.id)
                    .instanceId(member.instanceId)
                    .rackId(member.rackId)
                    .memberEpoch(member.epoch)
                    .clientId(member.clientId)
                    .clientHost(member.clientHost)
                    .subscribedTopicNames(member.subscription.names())
                    .subscribedTopicRegex(member.subscription.regex())
                    .assignment(assignment(group, member.owned()))
                    .targetAssignment(assignment(group, member.target))
                    .memberType(member.classic == null ? CONSUMER_MEMBER : CLASSIC_MEMBER));
        }
        return new DescribedGroup()
                .groupId(group.groupId())
                .groupState(group.stateName())
                .groupEpoch(group.target().groupEpoch())
                .assignmentEpoch(group.target().targetEpoch())
                .assignorName(group.members().preferredAssignor().wireName())
                .members(members);
    }

    private static Assignment assignment(ConsumerGroup group, QueueSet queues) {
        return new Assignment()
                .topicPartitions(group.topics()
                        .byTopic(
                                queues,
                                (topic, partitions) -> new TopicPartitions()
                                        .topicId(topic.id())
                                        .topicName(topic.name())
                                        .partitions(partitions)));
    }
}
