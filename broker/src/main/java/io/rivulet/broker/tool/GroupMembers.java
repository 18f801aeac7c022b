package io.rivulet.broker.tool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse;
import io.rivulet.protocol.message.ConsumerProtocolAssignment;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The members of a classic or consumer group. Immutable. */
record GroupMembers(String state, String assignor, List<Member> members) {
    /** A topic's partition. */
    record Partition(String topic, int index) {}

    record Member(String id, String clientId, String host, List<Partition> partitions) {}

    static GroupMembers of(BrokerConnection broker, String group) {
        boolean newer = broker.served().stream().anyMatch(api -> api.apiKey() == ApiKey.CONSUMER_GROUP_DESCRIBE.id());
        if (newer) {
            ConsumerGroupDescribeResponse.DescribedGroup described = broker.ask(
                            ApiKey.CONSUMER_GROUP_DESCRIBE,
                            new ConsumerGroupDescribeRequest().groupIds(List.of(group)),
                            ConsumerGroupDescribeResponse.class)
                    .groups()
                    .get(0);
            if (described.errorCode() == 0) {
                return ofNewer(described);
            }
        }
        DescribeGroupsResponse.DescribedGroup described = broker.ask(
                        ApiKey.DESCRIBE_GROUPS,
                        new DescribeGroupsRequest().groups(List.of(group)),
                        DescribeGroupsResponse.class)
                .groups()
                .get(0);
        ClientException.require(described.errorCode(), described.errorMessage(), "describing group " + group);
        return ofClassic(described);
    }

    private static GroupMembers ofNewer(ConsumerGroupDescribeResponse.DescribedGroup described) {
        List<Member> members = new ArrayList<>();
        for (ConsumerGroupDescribeResponse.Member member : described.members()) {
            List<Partition> partitions = new ArrayList<>();
            for (ConsumerGroupDescribeResponse.TopicPartitions topic :
                    member.assignment().topicPartitions()) {
                for (int index : topic.partitions()) {
                    partitions.add(new Partition(topic.topicName(), index));
                }
            }
            members.add(new Member(member.memberId(), member.clientId(), member.clientHost(), partitions));
        }
        return new GroupMembers(described.groupState(), described.assignorName(), members);
    }

    private static GroupMembers ofClassic(DescribeGroupsResponse.DescribedGroup described) {
        List<Member> members = new ArrayList<>();
        for (DescribeGroupsResponse.DescribedGroupMember member : described.members()) {
            members.add(new Member(
                    member.memberId(), member.clientId(), member.clientHost(), partitions(member.memberAssignment())));
        }
        return new GroupMembers(described.groupState(), described.protocolData(), members);
    }

    /** Parses the assignment that consumers of a classic group exchange: a version, then the partitions. */
    private static List<Partition> partitions(byte[] assignment) {
        if (assignment.length < Short.BYTES) {
            return List.of();
        }
        ByteBuf bytes = Unpooled.wrappedBuffer(assignment);
        short version = (short) Math.min(bytes.readShort(), 0);
        List<Partition> partitions = new ArrayList<>();
        for (ConsumerProtocolAssignment.TopicPartition topic :
                ConsumerProtocolAssignment.read(new WireReader(bytes), version).assignedPartitions()) {
            for (int index : topic.partitions()) {
                partitions.add(new Partition(topic.topic(), index));
            }
        }
        return partitions;
    }

    /** The member that has the partition; null if none has. */
    @Nullable
    Member owner(String topic, int index) {
        Partition wanted = new Partition(topic, index);
        return members.stream()
                .filter(member -> member.partitions.contains(wanted))
                .findFirst()
                .orElse(null);
    }
}
