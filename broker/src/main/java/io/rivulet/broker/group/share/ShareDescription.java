package io.rivulet.broker.group.share;

import io.rivulet.protocol.message.ShareGroupDescribeResponse.Assignment;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.Member;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.TopicPartitions;
import java.util.ArrayList;
import java.util.List;

/** Describes a group for ShareGroupDescribe. Pure functions. */
public final class ShareDescription {
    private ShareDescription() {}

    /** The number of members and assigned queues. */
    public static long parts(ShareGroup group) {
        long parts = 0;
        for (ShareMember member : group.members()) {
            parts += 1 + member.assigned.size();
        }
        return parts;
    }

    public static DescribedGroup of(ShareGroup group) {
        List<Member> members = new ArrayList<>();
        for (ShareMember member : group.members()) {
            members.add(new Member()
                    .memberId(member.id)
                    .rackId(member.rackId)
                    .memberEpoch(member.epoch)
                    .clientId(member.clientId)
                    .clientHost(member.clientHost)
                    .subscribedTopicNames(member.subscription.names())
                    .assignment(new Assignment()
                            .topicPartitions(group.topics()
                                    .byTopic(
                                            member.assigned,
                                            (topic, partitions) -> new TopicPartitions()
                                                    .topicId(topic.id())
                                                    .topicName(topic.name())
                                                    .partitions(partitions)))));
        }
        return new DescribedGroup()
                .groupId(group.groupId())
                .groupState(group.stateName())
                .groupEpoch(group.groupEpoch())
                .assignmentEpoch(group.targetEpoch())
                .assignorName(SimpleAssignor.NAME)
                .members(members);
    }
}
