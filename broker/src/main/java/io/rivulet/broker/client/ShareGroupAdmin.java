package io.rivulet.broker.client;

import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestPartition;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup;
import io.rivulet.protocol.message.ShareGroupDescribeRequest;
import io.rivulet.protocol.message.ShareGroupDescribeResponse;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.DescribedGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Describes a share group, and reads and changes its start offsets. Owned by one thread. */
public record ShareGroupAdmin(BrokerConnection broker, String group) {
    /** Where the group is in a partition; -1 where it has no state. */
    public record Position(long startOffset, long lag) {}

    public DescribedGroup describe() {
        DescribedGroup described = broker.ask(
                        ApiKey.SHARE_GROUP_DESCRIBE,
                        new ShareGroupDescribeRequest().groupIds(List.of(group)),
                        ShareGroupDescribeResponse.class)
                .groups()
                .get(0);
        ClientException.require(described.errorCode(), described.errorMessage(), "describing group " + group);
        return described;
    }

    /** The positions by topic and partition. */
    public SortedMap<String, SortedMap<Integer, Position>> offsets() {
        DescribeShareGroupOffsetsResponseGroup answer = broker.ask(
                        ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS,
                        new DescribeShareGroupOffsetsRequest()
                                .groups(List.of(new DescribeShareGroupOffsetsRequestGroup()
                                        .groupId(group)
                                        .topics(null))),
                        DescribeShareGroupOffsetsResponse.class)
                .groups()
                .get(0);
        ClientException.require(answer.errorCode(), answer.errorMessage(), "reading the offsets of group " + group);
        SortedMap<String, SortedMap<Integer, Position>> offsets = new TreeMap<>();
        answer.topics().forEach(topic -> {
            SortedMap<Integer, Position> partitions = new TreeMap<>();
            topic.partitions()
                    .forEach(partition -> partitions.put(
                            partition.partitionIndex(), new Position(partition.startOffset(), partition.lag())));
            offsets.put(topic.topicName(), partitions);
        });
        return offsets;
    }

    /** Sets the start offsets of a topic, by partition. Fails while the group has members. */
    public void alter(String topic, Map<Integer, Long> offsets) {
        List<AlterShareGroupOffsetsRequestPartition> partitions = new ArrayList<>();
        offsets.forEach((partition, offset) -> partitions.add(new AlterShareGroupOffsetsRequestPartition()
                .partitionIndex(partition)
                .startOffset(offset)));
        AlterShareGroupOffsetsResponse response = broker.ask(
                ApiKey.ALTER_SHARE_GROUP_OFFSETS,
                new AlterShareGroupOffsetsRequest()
                        .groupId(group)
                        .topics(List.of(new AlterShareGroupOffsetsRequestTopic()
                                .topicName(topic)
                                .partitions(partitions))),
                AlterShareGroupOffsetsResponse.class);
        String what = "setting offsets of group " + group;
        ClientException.require(response.errorCode(), response.errorMessage(), what);
        response.responses()
                .forEach(answer -> answer.partitions()
                        .forEach(partition ->
                                ClientException.require(partition.errorCode(), partition.errorMessage(), what)));
    }

    /** Makes the group forget topics. Fails while it has members. */
    public void delete(List<String> topics) {
        DeleteShareGroupOffsetsResponse response = broker.ask(
                ApiKey.DELETE_SHARE_GROUP_OFFSETS,
                new DeleteShareGroupOffsetsRequest()
                        .groupId(group)
                        .topics(topics.stream()
                                .map(topic -> new DeleteShareGroupOffsetsRequestTopic().topicName(topic))
                                .toList()),
                DeleteShareGroupOffsetsResponse.class);
        ClientException.require(response.errorCode(), response.errorMessage(), "deleting offsets of group " + group);
        response.responses()
                .forEach(answer -> ClientException.require(
                        answer.errorCode(),
                        answer.errorMessage(),
                        "deleting offsets of group " + group + " for topic " + answer.topicName()));
    }
}
