package io.rivulet.broker.group;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartition;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopic;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers what groups have committed. What is answered is durable: a commit is in the table when its entry is. Who wants stable
 * offsets only is told to come again for those that an open transaction is about to change.
 *
 * <p>Owned by: the thread that owns the groups.
 */
public final class OffsetFetch {
    private static final short BATCHED_FROM_VERSION = 8;
    private static final short TOPIC_IDS_FROM_VERSION = 10;
    private static final long NO_OFFSET = -1;

    private final GroupCoordinator groups;
    private final GroupTable table;
    private final TopicCatalogue topics;

    OffsetFetch(GroupCoordinator groups, GroupTable table, TopicCatalogue topics) {
        this.groups = groups;
        this.table = table;
        this.topics = topics;
    }

    public OffsetFetchResponse fetch(OffsetFetchRequest request, short version) {
        if (version < BATCHED_FROM_VERSION) {
            return unbatched(fetch(batched(request), version, request.requireStable()));
        }
        List<OffsetFetchResponseGroup> fetched =
                new ArrayList<>(request.groups().size());
        // A group of which all is asked for twice is told once.
        Set<String> toldWhole = new HashSet<>();
        for (OffsetFetchRequestGroup wanted : request.groups()) {
            if (wanted.topics() != null || toldWhole.add(wanted.groupId())) {
                fetched.add(fetch(wanted, version, request.requireStable()));
            }
        }
        return new OffsetFetchResponse().groups(fetched);
    }

    private OffsetFetchResponseGroup fetch(OffsetFetchRequestGroup wanted, short version, boolean stableOnly) {
        OffsetFetchResponseGroup response = new OffsetFetchResponseGroup().groupId(wanted.groupId());
        GroupSlot slot = table.find(wanted.groupId());
        ErrorCode error = slot == null
                ? ErrorCode.NONE
                : groups.groupIn(slot).checkFetch(wanted.memberId(), wanted.memberEpoch());
        if (error != ErrorCode.NONE) {
            return response.errorCode(error.code());
        }
        CommittedOffsets offsets = slot == null ? null : slot.offsets;
        List<OffsetFetchRequestTopics> asked = wanted.topics();
        List<OffsetFetchResponseTopics> told;
        if (asked == null) {
            told = offsets == null ? List.of() : all(offsets);
        } else {
            told = new ArrayList<>(asked.size());
            BitSet toldTexts = new BitSet();
            for (OffsetFetchRequestTopics topic : asked) {
                told.add(some(offsets, topic, version >= TOPIC_IDS_FROM_VERSION, toldTexts));
            }
        }
        response.topics(told);
        if (slot != null && stableOnly) {
            tellUnstable(response, slot);
        }
        return response;
    }

    private void tellUnstable(OffsetFetchResponseGroup response, GroupSlot slot) {
        if (slot.pending == null) {
            return;
        }
        for (OffsetFetchResponseTopics told : response.topics()) {
            Topic topic = told.name().isEmpty() ? topics.find(told.topicId()) : topics.find(told.name());
            for (OffsetFetchResponsePartitions partition : told.partitions()) {
                if (topic != null && slot.isPending(topic.id(), partition.partitionIndex())) {
                    partition
                            .committedOffset(NO_OFFSET)
                            .committedLeaderEpoch(-1)
                            .metadata("")
                            .errorCode(ErrorCode.UNSTABLE_OFFSET_COMMIT.code());
                }
            }
        }
    }

    private OffsetFetchResponseTopics some(
            @Nullable CommittedOffsets offsets, OffsetFetchRequestTopics wanted, boolean byId, BitSet toldTexts) {
        Topic topic = byId ? topics.find(wanted.topicId()) : topics.find(wanted.name());
        ErrorCode error = topic == null && byId ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.NONE;
        List<OffsetFetchResponsePartitions> partitions = new ArrayList<>(wanted.partitionIndexes().length);
        for (int partition : wanted.partitionIndexes()) {
            int row = topic == null || offsets == null ? CommittedOffsets.NONE : offsets.row(topic.id(), partition);
            if (offsets != null && row != CommittedOffsets.NONE && isRepeated(offsets, row, toldTexts)) {
                continue;
            }
            partitions.add(
                    offsets == null || row == CommittedOffsets.NONE
                            ? new OffsetFetchResponsePartitions()
                                    .partitionIndex(partition)
                                    .committedOffset(NO_OFFSET)
                                    .metadata("")
                                    .errorCode(error.code())
                            : committed(offsets, row));
        }
        return new OffsetFetchResponseTopics()
                .name(wanted.name())
                .topicId(wanted.topicId())
                .partitions(partitions);
    }

    /** Whether it has a text, of up to 32 KiB, that was told before. */
    private static boolean isRepeated(CommittedOffsets offsets, int row, BitSet toldTexts) {
        boolean hasText = !offsets.text(row).isEmpty();
        boolean repeated = hasText && toldTexts.get(row);
        if (hasText) {
            toldTexts.set(row);
        }
        return repeated;
    }

    /** Offsets of topics that were deleted are passed over. */
    private List<OffsetFetchResponseTopics> all(CommittedOffsets offsets) {
        Map<Integer, @Nullable List<OffsetFetchResponsePartitions>> byTopic = new HashMap<>();
        List<OffsetFetchResponseTopics> told = new ArrayList<>();
        for (int row = 0; row < offsets.limit(); row++) {
            if (offsets.exists(row)) {
                int number = offsets.topicNumber(row);
                if (!byTopic.containsKey(number)) {
                    byTopic.put(number, begin(topics.find(offsets.topicId(row)), told));
                }
                List<OffsetFetchResponsePartitions> partitions = byTopic.get(number);
                if (partitions != null) {
                    partitions.add(committed(offsets, row));
                }
            }
        }
        return told;
    }

    private static @Nullable List<OffsetFetchResponsePartitions> begin(
            @Nullable Topic topic, List<OffsetFetchResponseTopics> told) {
        if (topic == null) {
            return null;
        }
        List<OffsetFetchResponsePartitions> partitions = new ArrayList<>();
        told.add(new OffsetFetchResponseTopics()
                .name(topic.name())
                .topicId(topic.id())
                .partitions(partitions));
        return partitions;
    }

    private static OffsetFetchResponsePartitions committed(CommittedOffsets offsets, int row) {
        return new OffsetFetchResponsePartitions()
                .partitionIndex(offsets.partition(row))
                .committedOffset(offsets.offset(row))
                .committedLeaderEpoch(offsets.leaderEpoch(row))
                .metadata(offsets.text(row));
    }

    // ---- versions that ask for one group ----

    private static OffsetFetchRequestGroup batched(OffsetFetchRequest request) {
        List<OffsetFetchRequestTopic> asked = request.topics();
        return new OffsetFetchRequestGroup()
                .groupId(request.groupId())
                .topics(
                        asked == null
                                ? null
                                : asked.stream()
                                        .map(topic -> new OffsetFetchRequestTopics()
                                                .name(topic.name())
                                                .partitionIndexes(topic.partitionIndexes()))
                                        .toList());
    }

    private static OffsetFetchResponse unbatched(OffsetFetchResponseGroup group) {
        List<OffsetFetchResponseTopic> told = new ArrayList<>(group.topics().size());
        for (OffsetFetchResponseTopics topic : group.topics()) {
            told.add(new OffsetFetchResponseTopic()
                    .name(topic.name())
                    .partitions(topic.partitions().stream()
                            .map(partition -> new OffsetFetchResponsePartition()
                                    .partitionIndex(partition.partitionIndex())
                                    .committedOffset(partition.committedOffset())
                                    .committedLeaderEpoch(partition.committedLeaderEpoch())
                                    .metadata(partition.metadata())
                                    .errorCode(partition.errorCode()))
                            .toList()));
        }
        return new OffsetFetchResponse().topics(told).errorCode(group.errorCode());
    }

    /** When the inbox of the groups is full. */
    public static OffsetFetchResponse turnedAway(OffsetFetchRequest request) {
        short code = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS.code();
        return new OffsetFetchResponse()
                .errorCode(code)
                .groups(request.groups().stream()
                        .map(group -> new OffsetFetchResponseGroup()
                                .groupId(group.groupId())
                                .errorCode(code))
                        .toList());
    }
}
