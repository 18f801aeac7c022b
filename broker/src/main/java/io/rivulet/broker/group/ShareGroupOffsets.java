package io.rivulet.broker.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.MemberTexts;
import io.rivulet.broker.group.consumer.QueueSet;
import io.rivulet.broker.group.share.ShareContext;
import io.rivulet.broker.group.share.ShareGroup;
import io.rivulet.broker.group.share.ShareStates.Start;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestPartition;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponsePartition;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponseTopic;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsResponse.DeleteShareGroupOffsetsResponseTopic;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the APIs for start offsets of share groups: checks the group, and passes the rest on to those who know what
 * happens to records.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ShareGroupOffsets {
    /** The heap that a group takes for a queue that stands by itself, about: a range, here and in its image. */
    private static final int BYTES_PER_QUEUE = 20;

    private static final String UNKNOWN = "This server does not host this topic-partition.";

    private final ShareGroups groups;
    private final GroupTable table;
    private final ShareContext context;

    ShareGroupOffsets(ShareGroups groups, GroupTable table, ShareContext context) {
        this.groups = groups;
        this.table = table;
        this.context = context;
    }

    public LongQuestions.Question<DescribeShareGroupOffsetsResponse> describe(
            DescribeShareGroupOffsetsRequest request, Access access) {
        return new ShareOffsetsQuestion(request.groups(), access, table, context);
    }

    // ---- alter ----

    /** Sets start offsets of a group that has no members. If there is none with that id, it is created. */
    public void alter(AlterShareGroupOffsetsRequest request, Consumer<AlterShareGroupOffsetsResponse> reply) {
        if (request.groupId().isEmpty()) {
            reply.accept(refusedAlter(ErrorCode.INVALID_GROUP_ID));
            return;
        }
        AlterShareGroupOffsetsResponse response = new AlterShareGroupOffsetsResponse();
        List<Start> starts = new ArrayList<>();
        List<AlterShareGroupOffsetsResponsePartition> accepted = new ArrayList<>();
        List<AlterShareGroupOffsetsResponseTopic> results = new ArrayList<>();
        for (AlterShareGroupOffsetsRequestTopic wanted : request.topics()) {
            results.add(check(wanted, starts, accepted));
        }
        response.responses(results);
        try {
            GroupSlot slot = groups.slotFor(request.groupId());
            try {
                ShareGroup group = groups.groupToJoin(slot);
                requireEmpty(group);
                requireHeap(group, starts);
                if (starts.isEmpty()) {
                    reply.accept(response);
                    return;
                }
                group.installed();
                slot.group = group;
                QueueSet.Builder queues = new QueueSet.Builder().addAll(group.queues());
                starts.forEach(start -> queues.add(start.queueId()));
                group.setQueues(queues.build());
                group.whenDurable(failure -> alter(group, slot.id, starts, failure, result -> {
                    if (result != null) {
                        refuse(accepted, result);
                    }
                    reply.accept(response);
                }));
            } finally {
                table.removeIfUnused(slot);
            }
        } catch (RefusedException e) {
            reply.accept(refusedAlter(e.code()).errorMessage(e.getMessage()));
        }
    }

    private void requireHeap(ShareGroup group, List<Start> starts) {
        long added = starts.stream()
                .filter(start -> !group.queues().contains(start.queueId()))
                .count();
        MemberTexts.requireRoom(context.group().heap(), added * BYTES_PER_QUEUE);
    }

    private AlterShareGroupOffsetsResponseTopic check(
            AlterShareGroupOffsetsRequestTopic wanted,
            List<Start> starts,
            List<AlterShareGroupOffsetsResponsePartition> accepted) {
        Topic topic = context.topics().find(wanted.topicName());
        List<AlterShareGroupOffsetsResponsePartition> partitions = new ArrayList<>();
        for (AlterShareGroupOffsetsRequestPartition partition : wanted.partitions()) {
            AlterShareGroupOffsetsResponsePartition result =
                    new AlterShareGroupOffsetsResponsePartition().partitionIndex(partition.partitionIndex());
            partitions.add(result);
            int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition.partitionIndex());
            if (queueId == Topic.NO_QUEUE) {
                result.errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()).errorMessage(UNKNOWN);
            } else if (partition.startOffset() < 0) {
                result.errorCode(ErrorCode.INVALID_REQUEST.code())
                        .errorMessage("A start offset is " + partition.startOffset() + "; allowed is 0 or more.");
            } else {
                starts.add(new Start(queueId, partition.startOffset()));
                accepted.add(result);
            }
        }
        AlterShareGroupOffsetsResponseTopic result = new AlterShareGroupOffsetsResponseTopic()
                .topicName(wanted.topicName())
                .partitions(partitions);
        return topic == null ? result : result.topicId(topic.id());
    }

    private void alter(
            ShareGroup group,
            String groupId,
            List<Start> starts,
            @Nullable Throwable failure,
            Consumer<@Nullable Throwable> done) {
        if (failure != null) {
            done.accept(failure);
        } else if (!group.isEmpty()) {
            done.accept(notEmpty());
        } else {
            context.states().alter(groupId, starts, onThread(done));
        }
    }

    private static void refuse(List<AlterShareGroupOffsetsResponsePartition> accepted, Throwable failure) {
        short code = Journal.errorOf(failure).code();
        String message = ErrorMapper.refusal(failure).getMessage();
        accepted.forEach(partition -> partition.errorCode(code).errorMessage(message));
    }

    public static AlterShareGroupOffsetsResponse refusedAlter(ErrorCode error) {
        return new AlterShareGroupOffsetsResponse().errorCode(error.code());
    }

    // ---- delete ----

    /** Forgets what a group without members has done with topics. */
    public void delete(DeleteShareGroupOffsetsRequest request, Consumer<DeleteShareGroupOffsetsResponse> reply) {
        if (request.groupId().isEmpty()) {
            reply.accept(refusedDelete(ErrorCode.INVALID_GROUP_ID));
            return;
        }
        try {
            ShareGroup group = groups.find(request.groupId());
            requireEmpty(group);
            QueueSet.Builder queues = new QueueSet.Builder();
            List<DeleteShareGroupOffsetsResponseTopic> results = new ArrayList<>();
            // A topic that is named again is deleted once, because its queues may be many.
            Set<String> named = new HashSet<>();
            for (DeleteShareGroupOffsetsRequestTopic wanted : request.topics()) {
                if (named.add(wanted.topicName())) {
                    results.add(check(group, wanted, queues));
                }
            }
            DeleteShareGroupOffsetsResponse response = new DeleteShareGroupOffsetsResponse().responses(results);
            QueueSet forgotten = queues.build();
            if (forgotten.isEmpty()) {
                reply.accept(response);
                return;
            }
            Consumer<@Nullable Throwable> answer = failure -> reply.accept(
                    failure == null
                            ? response
                            : refusedDelete(Journal.errorOf(failure))
                                    .errorMessage(ErrorMapper.refusal(failure).getMessage()));
            context.states()
                    .delete(
                            request.groupId(),
                            forgotten,
                            onThread(failure -> forget(group, forgotten, failure, answer)));
        } catch (RefusedException e) {
            reply.accept(refusedDelete(e.code()).errorMessage(e.getMessage()));
        }
    }

    private DeleteShareGroupOffsetsResponseTopic check(
            ShareGroup group, DeleteShareGroupOffsetsRequestTopic wanted, QueueSet.Builder queues) {
        DeleteShareGroupOffsetsResponseTopic result =
                new DeleteShareGroupOffsetsResponseTopic().topicName(wanted.topicName());
        Topic topic = context.topics().find(wanted.topicName());
        if (topic == null) {
            return result.errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()).errorMessage(UNKNOWN);
        }
        QueueSet known = ShareOffsetsQuestion.queuesOf(topic).intersect(group.queues());
        if (known.isEmpty()) {
            return result.errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code())
                    .errorMessage("There is no offset information to delete.");
        }
        queues.addAll(known);
        return result.topicId(topic.id());
    }

    private static void forget(
            ShareGroup group, QueueSet queues, @Nullable Throwable failure, Consumer<@Nullable Throwable> done) {
        if (failure != null) {
            done.accept(failure);
        } else {
            group.setQueues(group.queues().minus(queues));
            group.whenDurable(done);
        }
    }

    public static DeleteShareGroupOffsetsResponse refusedDelete(ErrorCode error) {
        return new DeleteShareGroupOffsetsResponse().errorCode(error.code());
    }

    // ---- both ----

    private static void requireEmpty(ShareGroup group) {
        if (!group.isEmpty()) {
            throw notEmpty();
        }
    }

    private static RefusedException notEmpty() {
        return new RefusedException(ErrorCode.NON_EMPTY_GROUP, "The group is not empty.");
    }

    private Consumer<@Nullable Throwable> onThread(Consumer<@Nullable Throwable> action) {
        return failure -> context.thread().accept(() -> action.accept(failure));
    }
}
