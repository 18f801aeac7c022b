package io.rivulet.broker.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The committed offsets of the requested groups, in slices. A commit that becomes durable between two slices may be
 * returned in part. If the request asks for stable offsets, those of open transactions are not returned.
 *
 * <p>Owned by: the coordinator thread.
 */
final class OffsetQuestion implements LongQuestions.Question<OffsetFetchResponse> {
    private static final long NO_OFFSET = -1;
    private static final int OFFSETS_PER_SLICE = 1000;

    private final List<OffsetFetchRequestGroup> wanted;
    private final boolean stableOnly;
    private final boolean byId;
    private final Access access;
    private final GroupCoordinator groups;
    private final GroupTable table;
    private final TopicCatalogue topics;
    private final Function<List<OffsetFetchResponseGroup>, OffsetFetchResponse> answer;

    private final List<OffsetFetchResponseGroup> results = new ArrayList<>();
    private final Set<String> returnedWhole = new HashSet<>();
    private int nextGroup;
    private @Nullable Walk walk;

    OffsetQuestion(
            List<OffsetFetchRequestGroup> wanted,
            boolean stableOnly,
            boolean byId,
            Access access,
            GroupCoordinator groups,
            GroupTable table,
            TopicCatalogue topics,
            Function<List<OffsetFetchResponseGroup>, OffsetFetchResponse> answer) {
        this.wanted = wanted;
        this.stableOnly = stableOnly;
        this.byId = byId;
        this.access = access;
        this.groups = groups;
        this.table = table;
        this.topics = topics;
        this.answer = answer;
    }

    @Override
    public long parts() {
        long parts = 0;
        for (OffsetFetchRequestGroup group : wanted) {
            List<OffsetFetchRequestTopics> asked = group.topics();
            GroupSlot slot = table.find(group.groupId());
            if (asked != null) {
                for (OffsetFetchRequestTopics topic : asked) {
                    parts += 1 + topic.partitionIndexes().length;
                }
            } else if (slot != null) {
                parts += slot.offsets.limit();
            }
            parts++;
        }
        return parts;
    }

    @Override
    public boolean goOn() {
        int left = OFFSETS_PER_SLICE;
        while (left > 0 && (walk != null || nextGroup < wanted.size())) {
            Walk current = walk == null ? startGroup(wanted.get(nextGroup++)) : walk;
            left = current == null ? left - 1 : current.advance(left - 1);
            walk = left > 0 ? null : current;
        }
        return walk != null || nextGroup < wanted.size();
    }

    @Override
    public OffsetFetchResponse answer() {
        return answer.apply(results);
    }

    /** Null if nothing is left to return for the group. */
    private @Nullable Walk startGroup(OffsetFetchRequestGroup group) {
        List<OffsetFetchRequestTopics> asked = group.topics();
        // If all offsets of a group are requested twice, they are returned once.
        if (asked == null && !returnedWhole.add(group.groupId())) {
            return null;
        }
        OffsetFetchResponseGroup response = new OffsetFetchResponseGroup().groupId(group.groupId());
        results.add(response);
        GroupSlot slot = table.find(group.groupId());
        ErrorCode error = check(group, slot);
        if (error != ErrorCode.NONE) {
            response.errorCode(error.code());
            return null;
        }
        List<OffsetFetchResponseTopics> topicResults = new ArrayList<>();
        response.topics(topicResults);
        if (asked != null) {
            return new Asked(slot, asked, topicResults);
        }
        return slot == null ? null : new All(slot, topicResults);
    }

    private ErrorCode check(OffsetFetchRequestGroup group, @Nullable GroupSlot slot) {
        if (!access.mayGroup(Operation.DESCRIBE, group.groupId())) {
            return ErrorCode.GROUP_AUTHORIZATION_FAILED;
        }
        return slot == null ? ErrorCode.NONE : groups.groupIn(slot).checkFetch(group.memberId(), group.memberEpoch());
    }

    /** Walks over the offsets of one group. */
    private interface Walk {
        /**
         * Visits at most this number of offsets. Returns how many fewer it visited: 0 if there are more, above 0 at the
         * end.
         */
        int advance(int most);
    }

    private OffsetFetchResponsePartitions committed(GroupSlot slot, int row) {
        CommittedOffsets offsets = slot.offsets;
        return new OffsetFetchResponsePartitions()
                .partitionIndex(offsets.partition(row))
                .committedOffset(offsets.offset(row))
                .committedLeaderEpoch(offsets.leaderEpoch(row))
                .metadata(offsets.text(row));
    }

    private static OffsetFetchResponsePartitions none(int partition, ErrorCode error) {
        return new OffsetFetchResponsePartitions()
                .partitionIndex(partition)
                .committedOffset(NO_OFFSET)
                .metadata("")
                .errorCode(error.code());
    }

    /** All offsets of the group; those of topics that are deleted, or that the client may not describe, are skipped. */
    private final class All implements Walk {
        private final GroupSlot slot;
        private final List<OffsetFetchResponseTopics> results;
        private final Map<Uuid, @Nullable List<OffsetFetchResponsePartitions>> byTopic = new HashMap<>();
        private int row;

        All(GroupSlot slot, List<OffsetFetchResponseTopics> results) {
            this.slot = slot;
            this.results = results;
        }

        @Override
        public int advance(int most) {
            int left = most;
            for (; row < slot.offsets.limit() && left > 0; row++) {
                left--;
                if (slot.offsets.exists(row)) {
                    add(slot.offsets.topicId(row));
                }
            }
            return row < slot.offsets.limit() ? 0 : Math.max(1, left);
        }

        private void add(Uuid topic) {
            if (!byTopic.containsKey(topic)) {
                byTopic.put(topic, addTopic(topics.find(topic)));
            }
            List<OffsetFetchResponsePartitions> partitions = byTopic.get(topic);
            if (partitions != null) {
                int partition = slot.offsets.partition(row);
                partitions.add(
                        stableOnly && slot.isPending(topic, partition)
                                ? none(partition, ErrorCode.UNSTABLE_OFFSET_COMMIT)
                                : committed(slot, row));
            }
        }

        private @Nullable List<OffsetFetchResponsePartitions> addTopic(@Nullable Topic topic) {
            if (topic == null || !access.mayTopic(Operation.DESCRIBE, topic.name())) {
                return null;
            }
            List<OffsetFetchResponsePartitions> partitions = new ArrayList<>();
            results.add(new OffsetFetchResponseTopics()
                    .name(topic.name())
                    .topicId(topic.id())
                    .partitions(partitions));
            return partitions;
        }
    }

    /** The requested partitions, in the order of the request; topics whose id is unknown come last. */
    private final class Asked implements Walk {
        private final @Nullable GroupSlot slot;
        private final List<OffsetFetchRequestTopics> asked;
        private final List<OffsetFetchResponseTopics> results;
        /** Rows whose text, of up to 32 KiB, was returned before. */
        private final BitSet returnedTexts = new BitSet();

        private final List<OffsetFetchResponseTopics> unknown = new ArrayList<>();

        private int nextTopic;
        private int nextPartition;
        private boolean begun;
        private @Nullable Topic topic;
        private boolean denied;
        private List<OffsetFetchResponsePartitions> partitions = List.of();

        Asked(@Nullable GroupSlot slot, List<OffsetFetchRequestTopics> asked, List<OffsetFetchResponseTopics> results) {
            this.slot = slot;
            this.asked = asked;
            this.results = results;
        }

        @Override
        public int advance(int most) {
            int left = most;
            while (nextTopic < asked.size() && left > 0) {
                OffsetFetchRequestTopics named = asked.get(nextTopic);
                if (!begun) {
                    begun = true;
                    startTopic(named);
                    left--;
                }
                int[] indexes = named.partitionIndexes();
                for (; nextPartition < indexes.length && left > 0; nextPartition++) {
                    left--;
                    add(indexes[nextPartition]);
                }
                if (nextPartition >= indexes.length) {
                    nextTopic++;
                    nextPartition = 0;
                    begun = false;
                }
            }
            if (nextTopic < asked.size()) {
                return 0;
            }
            results.addAll(unknown);
            return Math.max(1, left);
        }

        private void startTopic(OffsetFetchRequestTopics named) {
            topic = byId ? topics.find(named.topicId()) : topics.find(named.name());
            String name = topic == null ? named.name() : topic.name();
            denied = !(byId && topic == null) && !access.mayTopic(Operation.DESCRIBE, name);
            partitions = new ArrayList<>(named.partitionIndexes().length);
            List<OffsetFetchResponseTopics> list = byId && topic == null ? unknown : results;
            list.add(new OffsetFetchResponseTopics()
                    .name(named.name())
                    .topicId(named.topicId())
                    .partitions(partitions));
        }

        private void add(int partition) {
            Topic of = topic;
            if (denied) {
                partitions.add(none(partition, ErrorCode.TOPIC_AUTHORIZATION_FAILED));
                return;
            }
            if (of == null) {
                partitions.add(none(partition, byId ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.NONE));
                return;
            }
            int row = slot == null ? CommittedOffsets.NONE : slot.offsets.row(of.id(), partition);
            if (row != CommittedOffsets.NONE && isRepeated(row)) {
                return;
            }
            if (stableOnly && slot != null && slot.isPending(of.id(), partition)) {
                partitions.add(none(partition, ErrorCode.UNSTABLE_OFFSET_COMMIT));
            } else if (row == CommittedOffsets.NONE) {
                partitions.add(none(partition, ErrorCode.NONE));
            } else {
                partitions.add(committed(Objects.requireNonNull(slot), row));
            }
        }

        private boolean isRepeated(int row) {
            boolean hasText = !Objects.requireNonNull(slot).offsets.text(row).isEmpty();
            boolean repeated = hasText && returnedTexts.get(row);
            if (hasText) {
                returnedTexts.set(row);
            }
            return repeated;
        }
    }
}
