package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.Countdown;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.TransactionalOffsets;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.base.OffsetCommitter;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.group.share.ShareGroup;
import io.rivulet.broker.limit.LimitLog;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import io.rivulet.protocol.message.OffsetCommitResponse.OffsetCommitResponseTopic;
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestPartition;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.message.OffsetDeleteResponse.OffsetDeleteResponsePartition;
import io.rivulet.protocol.message.OffsetDeleteResponse.OffsetDeleteResponseTopic;
import io.rivulet.protocol.message.TxnOffsetCommitRequest;
import io.rivulet.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.rivulet.protocol.message.TxnOffsetCommitResponse;
import io.rivulet.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition;
import io.rivulet.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commits and deletes offsets. The response follows when the entries are durable. {@link OffsetFetch} reads offsets.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class GroupOffsets implements TransactionalOffsets {
    private static final short TOPIC_IDS_FROM_VERSION = 10;
    private static final short TXN_TOPIC_IDS_FROM_VERSION = 6;
    private static final short GROUP_ID_NOT_FOUND_FROM_VERSION = 9;
    /** Members of the consumer protocol must use this version or a later one. */
    private static final short EPOCHS_FROM_VERSION = 9;

    private static final long HEAP_BYTES_PER_OFFSET = 64;

    private final GroupCoordinator groups;
    private final GroupContext context;
    private final GroupTable table;
    private final TopicCatalogue topics;

    GroupOffsets(GroupCoordinator groups, GroupContext context, GroupTable table, TopicCatalogue topics) {
        this.groups = groups;
        this.context = context;
        this.table = table;
        this.topics = topics;
    }

    // ---- commit ----

    public void commit(OffsetCommitRequest request, short version, Consumer<OffsetCommitResponse> reply) {
        ErrorCode refusal = checkCommit(request, version);
        if (refusal != ErrorCode.NONE) {
            reply.accept(new OffsetCommitResponse().topics(refused(request.topics(), refusal)));
            return;
        }
        long stampMillis = context.clock().stampMillis();
        OffsetsEntry entry = OffsetsEntry.committed(request.groupId(), stampMillis, expiryMillis(request, stampMillis));
        commit(
                request.groupId(),
                request.topics(),
                version >= TOPIC_IDS_FROM_VERSION,
                entry,
                results -> reply.accept(new OffsetCommitResponse().topics(results)));
    }

    private static long expiryMillis(OffsetCommitRequest request, long stampMillis) {
        long retentionMillis = request.retentionTimeMs();
        return retentionMillis < 0
                ? CommittedOffsets.BY_RETENTION
                : stampMillis + Math.min(retentionMillis, Long.MAX_VALUE - stampMillis);
    }

    private ErrorCode checkCommit(OffsetCommitRequest request, short version) {
        GroupSlot slot = table.find(request.groupId());
        int generation = request.generationIdOrMemberEpoch();
        if (slot == null && generation >= 0) {
            return version >= GROUP_ID_NOT_FOUND_FROM_VERSION
                    ? ErrorCode.GROUP_ID_NOT_FOUND
                    : ErrorCode.ILLEGAL_GENERATION;
        }
        if (slot != null) {
            ErrorCode error = groups.groupIn(slot)
                    .checkCommit(new OffsetCommitter(
                            request.memberId(),
                            request.groupInstanceId(),
                            generation,
                            version >= EPOCHS_FROM_VERSION,
                            queues(request.topics(), version >= TOPIC_IDS_FROM_VERSION)));
            if (error != ErrorCode.NONE) {
                return error;
            }
        }
        return hasRoomFor(request) || growsNothing(slot, request, version) ? ErrorCode.NONE : tooMany();
    }

    private boolean hasRoomFor(OffsetCommitRequest request) {
        long bytes = 0;
        for (OffsetCommitRequestTopic wanted : request.topics()) {
            bytes += HEAP_BYTES_PER_OFFSET * wanted.partitions().size();
            for (OffsetCommitRequestPartition partition : wanted.partitions()) {
                String text = partition.committedMetadata();
                bytes += text == null || text.isEmpty() ? 0 : HEAP_BYTES_PER_OFFSET + 2L * text.length();
            }
        }
        return groups.mayAdd(request.groupId()) && context.heap().hasRoomFor(bytes);
    }

    /** Whether the commit only replaces offsets. Such commits are accepted at the heap limit. */
    private boolean growsNothing(@Nullable GroupSlot slot, OffsetCommitRequest request, short version) {
        if (slot == null) {
            return false;
        }
        for (OffsetCommitRequestTopic wanted : request.topics()) {
            Topic topic = find(wanted, version >= TOPIC_IDS_FROM_VERSION);
            for (OffsetCommitRequestPartition partition : wanted.partitions()) {
                int row = topic == null
                        ? CommittedOffsets.NONE
                        : slot.offsets.row(topic.id(), partition.partitionIndex());
                String text = partition.committedMetadata();
                if (row == CommittedOffsets.NONE
                        || (text != null
                                && text.length() > slot.offsets.text(row).length())) {
                    return false;
                }
            }
        }
        return true;
    }

    // ---- commit in a transaction ----

    @Override
    public @Nullable ViewEntry endEntry(long producerId, boolean committed) {
        return table.hasPending(producerId)
                ? new ViewEntry(GroupView.VIEW_ID, GroupEntryLayout.transactionOver(producerId, committed))
                : null;
    }

    @Override
    public void commitInTransaction(
            TxnOffsetCommitRequest request, short version, Consumer<TxnOffsetCommitResponse> reply) {
        List<OffsetCommitRequestTopic> topicsToCommit = withoutTransaction(request.topics());
        ErrorCode refusal = checkCommit(request, topicsToCommit, version);
        if (refusal != ErrorCode.NONE) {
            reply.accept(TransactionalOffsets.refused(request, refusal));
            return;
        }
        OffsetsEntry entry =
                OffsetsEntry.inTransaction(request.groupId(), context.clock().stampMillis(), request.producerId());
        commit(
                request.groupId(),
                topicsToCommit,
                version >= TXN_TOPIC_IDS_FROM_VERSION,
                entry,
                results -> reply.accept(new TxnOffsetCommitResponse().topics(inTransaction(results))));
    }

    /** The topics as in a request outside a transaction: the same fields in other classes. */
    private static List<OffsetCommitRequestTopic> withoutTransaction(List<TxnOffsetCommitRequestTopic> topics) {
        return topics.stream()
                .map(topic -> new OffsetCommitRequestTopic()
                        .name(topic.name())
                        .topicId(topic.topicId())
                        .partitions(topic.partitions().stream()
                                .map(partition -> new OffsetCommitRequestPartition()
                                        .partitionIndex(partition.partitionIndex())
                                        .committedOffset(partition.committedOffset())
                                        .committedLeaderEpoch(partition.committedLeaderEpoch())
                                        .committedMetadata(partition.committedMetadata()))
                                .toList()))
                .toList();
    }

    private static List<TxnOffsetCommitResponseTopic> inTransaction(List<OffsetCommitResponseTopic> results) {
        return results.stream()
                .map(topic -> new TxnOffsetCommitResponseTopic()
                        .name(topic.name())
                        .topicId(topic.topicId())
                        .partitions(topic.partitions().stream()
                                .map(partition -> new TxnOffsetCommitResponsePartition()
                                        .partitionIndex(partition.partitionIndex())
                                        .errorCode(partition.errorCode()))
                                .toList()))
                .toList();
    }

    /** A request with neither member nor generation is not checked for them: clients before version 3 send none. */
    private ErrorCode checkCommit(
            TxnOffsetCommitRequest request, List<OffsetCommitRequestTopic> topicsToCommit, short version) {
        GroupSlot slot = table.find(request.groupId());
        int generation = request.generationIdOrMemberEpoch();
        if (request.groupId().isEmpty()) {
            return ErrorCode.INVALID_GROUP_ID;
        }
        if (slot == null && generation >= 0) {
            return version >= TXN_TOPIC_IDS_FROM_VERSION ? ErrorCode.GROUP_ID_NOT_FOUND : ErrorCode.ILLEGAL_GENERATION;
        }
        boolean member = generation >= 0 || !request.memberId().isEmpty() || request.groupInstanceId() != null;
        if (slot != null && (member || slot.group instanceof ShareGroup)) {
            ErrorCode error = groups.groupIn(slot)
                    .checkCommit(new OffsetCommitter(
                            request.memberId(),
                            request.groupInstanceId(),
                            generation,
                            true,
                            queues(topicsToCommit, version >= TXN_TOPIC_IDS_FROM_VERSION)));
            if (error == ErrorCode.STALE_MEMBER_EPOCH && version < TXN_TOPIC_IDS_FROM_VERSION) {
                return ErrorCode.ILLEGAL_GENERATION;
            }
            if (error != ErrorCode.NONE) {
                return error;
            }
        }
        long bytes = 0;
        for (TxnOffsetCommitRequestTopic wanted : request.topics()) {
            bytes += 2 * HEAP_BYTES_PER_OFFSET * wanted.partitions().size();
        }
        return groups.mayAdd(request.groupId()) && context.heap().hasRoomFor(bytes) ? ErrorCode.NONE : tooMany();
    }

    private static ErrorCode tooMany() {
        LimitLog.refused("rivulet.groups.bytes", "an offset of a group");
        return ErrorCode.POLICY_VIOLATION;
    }

    // ---- both ----

    private void commit(
            String groupId,
            List<OffsetCommitRequestTopic> topicsToCommit,
            boolean byId,
            OffsetsEntry entry,
            Consumer<List<OffsetCommitResponseTopic>> reply) {
        List<OffsetCommitResponsePartition> accepted = new ArrayList<>();
        List<OffsetCommitResponseTopic> results = new ArrayList<>(topicsToCommit.size());
        for (OffsetCommitRequestTopic wanted : topicsToCommit) {
            results.add(write(wanted, byId, entry, accepted));
        }
        store(groupId, entry.entries(), failure -> {
            if (failure != null) {
                short code = commitError(failure).code();
                accepted.forEach(partition -> partition.errorCode(code));
            }
            reply.accept(results);
        });
    }

    /** The queues that exist. */
    private OffsetCommitter.Queues queues(List<OffsetCommitRequestTopic> topicsToCommit, boolean byId) {
        return check -> topicsToCommit.stream().allMatch(wanted -> {
            Topic topic = find(wanted, byId);
            return topic == null
                    || wanted.partitions().stream()
                            .mapToInt(partition -> topic.queueId(partition.partitionIndex()))
                            .allMatch(queueId -> queueId == Topic.NO_QUEUE || check.test(queueId));
        });
    }

    private @Nullable Topic find(OffsetCommitRequestTopic wanted, boolean byId) {
        return byId ? topics.find(wanted.topicId()) : topics.find(wanted.name());
    }

    private OffsetCommitResponseTopic write(
            OffsetCommitRequestTopic wanted,
            boolean byId,
            OffsetsEntry entry,
            List<OffsetCommitResponsePartition> accepted) {
        Topic topic = find(wanted, byId);
        ErrorCode missing = byId ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        List<OffsetCommitResponsePartition> results =
                new ArrayList<>(wanted.partitions().size());
        for (OffsetCommitRequestPartition partition : wanted.partitions()) {
            int index = partition.partitionIndex();
            String text = partition.committedMetadata();
            ErrorCode error = topic == null ? missing : check(topic, index, text);
            OffsetCommitResponsePartition result =
                    new OffsetCommitResponsePartition().partitionIndex(index).errorCode(error.code());
            results.add(result);
            if (topic != null && error == ErrorCode.NONE) {
                accepted.add(result);
                entry.commit(topic.id(), index, partition.committedOffset(), partition.committedLeaderEpoch(), text);
            }
        }
        return new OffsetCommitResponseTopic()
                .name(wanted.name())
                .topicId(wanted.topicId())
                .partitions(results);
    }

    private ErrorCode check(Topic topic, int partition, @Nullable String text) {
        if (topic.queueId(partition) == Topic.NO_QUEUE) {
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        }
        int most = context.settings().maxOffsetTextBytes();
        boolean tooLong =
                text != null && text.length() > most / 3 && text.getBytes(StandardCharsets.UTF_8).length > most;
        return tooLong ? ErrorCode.OFFSET_METADATA_TOO_LARGE : ErrorCode.NONE;
    }

    public static List<OffsetCommitResponseTopic> refused(List<OffsetCommitRequestTopic> wanted, ErrorCode error) {
        return wanted.stream()
                .map(topic -> new OffsetCommitResponseTopic()
                        .name(topic.name())
                        .topicId(topic.topicId())
                        .partitions(topic.partitions().stream()
                                .map(partition -> new OffsetCommitResponsePartition()
                                        .partitionIndex(partition.partitionIndex())
                                        .errorCode(error.code()))
                                .toList()))
                .toList();
    }

    private static ErrorCode commitError(Throwable failure) {
        return ErrorMapper.refusal(failure).code() == ErrorCode.MESSAGE_TOO_LARGE
                ? ErrorCode.INVALID_COMMIT_OFFSET_SIZE
                : Journal.errorOf(failure);
    }

    /** Appends the entries; calls back once, when all are durable or with the first failure. */
    void store(String groupId, List<ByteBuffer> entries, Consumer<@Nullable Throwable> done) {
        if (entries.isEmpty()) {
            done.accept(null);
            return;
        }
        @Nullable Throwable[] first = {null};
        Countdown countdown = new Countdown(() -> done.accept(first[0]));
        GroupSlot slot = table.findOrAdd(groupId);
        for (ByteBuffer entry : entries) {
            countdown.expectOne();
            groups.append(slot, entry, failure -> {
                first[0] = first[0] == null ? failure : first[0];
                countdown.oneDone();
            });
        }
        countdown.allExpected();
    }

    // ---- delete ----

    public void delete(OffsetDeleteRequest request, Consumer<OffsetDeleteResponse> reply) {
        GroupSlot slot = table.find(request.groupId());
        if (request.groupId().isEmpty()) {
            reply.accept(new OffsetDeleteResponse().errorCode(ErrorCode.INVALID_GROUP_ID.code()));
            return;
        }
        if (slot == null || slot.group instanceof ShareGroup) {
            reply.accept(new OffsetDeleteResponse().errorCode(ErrorCode.GROUP_ID_NOT_FOUND.code()));
            return;
        }
        Group group = groups.groupIn(slot);
        if (!group.knowsItsTopics()) {
            reply.accept(new OffsetDeleteResponse().errorCode(ErrorCode.NON_EMPTY_GROUP.code()));
            return;
        }
        OffsetsEntry entry = OffsetsEntry.deleted(slot.id);
        List<OffsetDeleteResponsePartition> accepted = new ArrayList<>();
        List<OffsetDeleteResponseTopic> results = new ArrayList<>();
        for (OffsetDeleteRequestTopic wanted : request.topics()) {
            results.add(delete(wanted, group, slot.offsets, entry, accepted));
        }
        store(slot.id, entry.entries(), failure -> {
            if (failure != null) {
                short code = commitError(failure).code();
                accepted.forEach(partition -> partition.errorCode(code));
            }
            reply.accept(new OffsetDeleteResponse().topics(results));
        });
    }

    private OffsetDeleteResponseTopic delete(
            OffsetDeleteRequestTopic wanted,
            Group group,
            CommittedOffsets offsets,
            OffsetsEntry entry,
            List<OffsetDeleteResponsePartition> accepted) {
        Topic topic = topics.find(wanted.name());
        boolean inUse = group.isSubscribedTo(wanted.name());
        List<OffsetDeleteResponsePartition> results = new ArrayList<>();
        for (OffsetDeleteRequestPartition partition : wanted.partitions()) {
            OffsetDeleteResponsePartition result =
                    new OffsetDeleteResponsePartition().partitionIndex(partition.partitionIndex());
            results.add(result);
            if (topic == null || topic.queueId(partition.partitionIndex()) == Topic.NO_QUEUE) {
                result.errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
            } else if (inUse) {
                result.errorCode(ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC.code());
            } else if (offsets.row(topic.id(), partition.partitionIndex()) != CommittedOffsets.NONE) {
                accepted.add(result);
                entry.delete(topic.id(), partition.partitionIndex());
            }
        }
        return new OffsetDeleteResponseTopic().name(wanted.name()).partitions(results);
    }
}
