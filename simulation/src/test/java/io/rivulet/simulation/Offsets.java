package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.OFFSETS_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The offsets that one client commits for a group, and what it knows of them. Each offset is higher than the last. */
final class Offsets {
    private static final int FETCH_VERSION = 8;

    private final String group;
    private final String topic;
    private final int partitions;
    private final Map<Integer, Long> committed = new HashMap<>();
    /** Sent after the committed one, without an answer. */
    private final Map<Integer, List<Long>> open = new HashMap<>();

    private long last;

    Offsets(String group, String topic, int partitions) {
        this.group = group;
        this.topic = topic;
        this.partitions = partitions;
    }

    String group() {
        return group;
    }

    String topic() {
        return topic;
    }

    /** A new offset, on its way. */
    long next(int partition) {
        long offset = ++last;
        open.computeIfAbsent(partition, none -> new ArrayList<>()).add(offset);
        return offset;
    }

    void committed(int partition, long offset) {
        committed.merge(partition, offset, Math::max);
        open.computeIfAbsent(partition, none -> new ArrayList<>()).removeIf(sent -> sent <= offset);
    }

    void refused(int partition, long offset) {
        open.computeIfAbsent(partition, none -> new ArrayList<>()).remove(offset);
    }

    OffsetCommitRequest request(int partition, long offset, int epoch, String member) {
        return new OffsetCommitRequest()
                .groupId(group)
                .generationIdOrMemberEpoch(epoch)
                .memberId(member)
                .topics(List.of(new OffsetCommitRequestTopic()
                        .name(topic)
                        .partitions(List.of(new OffsetCommitRequestPartition()
                                .partitionIndex(partition)
                                .committedOffset(offset)))));
    }

    /** Compares with what the broker has. Nothing is under way, so what it has is committed. */
    void verify(Asking asking) {
        Map<Integer, Long> found = fetch(asking, group, topic, partitions);
        for (int partition = 0; partition < partitions; partition++) {
            Long there = found.get(partition);
            Long least = committed.get(partition);
            List<Long> may = open.getOrDefault(partition, List.of());
            boolean right = java.util.Objects.equals(there, least) || (there != null && may.contains(there));
            OFFSETS_STAY.require(
                    right, "%s has offset %s for %s-%s, not %s or %s", group, there, topic, partition, least, may);
            if (there != null) {
                committed.put(partition, there);
            }
            open.remove(partition);
        }
    }

    /** The offsets of a group. */
    static Map<Integer, Long> fetch(Asking asking, String group, String topic, int partitions) {
        OffsetFetchRequest request = new OffsetFetchRequest()
                .requireStable(true)
                .groups(List.of(new OffsetFetchRequestGroup()
                        .groupId(group)
                        .topics(List.of(new OffsetFetchRequestTopics()
                                .name(topic)
                                .partitionIndexes(IntStream.range(0, partitions).toArray())))));
        OffsetFetchResponse answer = asking.ask(ApiKey.OFFSET_FETCH, FETCH_VERSION, request, OffsetFetchResponse.class);
        Map<Integer, Long> found = new TreeMap<>();
        answer.groups()
                .forEach(of -> of.topics()
                        .forEach(in -> in.partitions().forEach(partition -> {
                            OFFSETS_STAY.require(
                                    partition.errorCode() == 0, "%s: error %s", group, partition.errorCode());
                            if (partition.committedOffset() >= 0) {
                                found.put(partition.partitionIndex(), partition.committedOffset());
                            }
                        })));
        return found;
    }
}
