package io.rivulet.broker.client;

import io.rivulet.protocol.message.ApiKey;
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
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads and changes the committed offsets of a group, without joining the group. Owned by one thread. */
public record OffsetAdmin(BrokerConnection broker, String group) {
    private static final int NAMES_UP_TO_VERSION = 9;
    private static final int NO_GENERATION = -1;

    /** The offsets by topic and partition. */
    public SortedMap<String, SortedMap<Integer, Long>> committed() {
        OffsetFetchResponse response = broker.ask(
                ApiKey.OFFSET_FETCH,
                NAMES_UP_TO_VERSION,
                new OffsetFetchRequest()
                        .groups(List.of(
                                new OffsetFetchRequestGroup().groupId(group).topics(null))),
                OffsetFetchResponse.class);
        OffsetFetchResponseGroup answer = response.groups().get(0);
        ClientException.require(answer.errorCode(), null, "reading the offsets of group " + group);
        SortedMap<String, SortedMap<Integer, Long>> committed = new TreeMap<>();
        answer.topics()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    ClientException.require(partition.errorCode(), null, "reading the offsets of group " + group);
                    if (partition.committedOffset() >= 0) {
                        committed
                                .computeIfAbsent(topic.name(), name -> new TreeMap<>())
                                .put(partition.partitionIndex(), partition.committedOffset());
                    }
                }));
        return committed;
    }

    /** Deletes the offsets of partitions of a topic. Fails while the group reads the topic. */
    public void delete(String topic, Collection<Integer> partitions) {
        String what = "deleting the offsets of group " + group + " for topic " + topic;
        OffsetDeleteResponse response = broker.ask(
                ApiKey.OFFSET_DELETE,
                new OffsetDeleteRequest()
                        .groupId(group)
                        .topics(List.of(new OffsetDeleteRequestTopic()
                                .name(topic)
                                .partitions(partitions.stream()
                                        .map(partition -> new OffsetDeleteRequestPartition().partitionIndex(partition))
                                        .toList()))),
                OffsetDeleteResponse.class);
        ClientException.require(response.errorCode(), null, what);
        response.topics()
                .forEach(answer -> answer.partitions()
                        .forEach(partition -> ClientException.require(partition.errorCode(), null, what)));
    }

    /** Commits offsets of a topic, by partition. Fails while the group has members. */
    public void commit(String topic, Map<Integer, Long> offsets) {
        List<OffsetCommitRequestPartition> partitions = new ArrayList<>();
        offsets.forEach((partition, offset) -> partitions.add(new OffsetCommitRequestPartition()
                .partitionIndex(partition)
                .committedOffset(offset)
                .committedMetadata("")));
        broker.ask(
                        ApiKey.OFFSET_COMMIT,
                        NAMES_UP_TO_VERSION,
                        new OffsetCommitRequest()
                                .groupId(group)
                                .generationIdOrMemberEpoch(NO_GENERATION)
                                .topics(List.of(new OffsetCommitRequestTopic()
                                        .name(topic)
                                        .partitions(partitions))),
                        OffsetCommitResponse.class)
                .topics()
                .forEach(answer -> answer.partitions()
                        .forEach(partition -> ClientException.require(
                                partition.errorCode(), null, "committing offsets of group " + group)));
    }
}
