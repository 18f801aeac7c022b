package io.rivulet.broker.group.consumer;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.MemberTexts;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeats of members of the consumer protocol. With a heartbeat a member joins, reports its subscription and its
 * queues, gets its assignment, or leaves. {@link ClassicMemberAdapter} serves members of the classic protocol.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ConsumerHeartbeat {
    private final ConsumerGroup group;
    private final ConsumerContext context;
    private final ConsumerMembers members;

    ConsumerHeartbeat(ConsumerGroup group) {
        this.group = group;
        this.context = group.context();
        this.members = group.members();
    }

    ConsumerGroupHeartbeatResponse answer(
            ConsumerGroupHeartbeatRequest request, String clientId, String clientHost, Access access) {
        return switch (request.memberEpoch()) {
            case HeartbeatChecks.LEAVE -> leave(request);
            case HeartbeatChecks.LEAVE_FOR_A_WHILE -> leaveForAWhile(request);
            default -> stay(request, clientId, clientHost, access);
        };
    }

    private ConsumerGroupHeartbeatResponse stay(
            ConsumerGroupHeartbeatRequest request, String clientId, String clientHost, Access access) {
        boolean joins = request.memberEpoch() == HeartbeatChecks.JOIN;
        QueueSet reported = reported(request);
        group.topics().seen(access, request.subscribedTopicRegex());
        group.topics().requireKnown();
        group.topics().requireRoomFor(request.subscribedTopicRegex());
        group.topics().requireRoomFor(request.subscribedTopicNames());
        ConsumerMember known = joins ? known(request) : staying(request, reported);
        requireHeap(known, request, clientId);
        ConsumerMember member = joins || known == null ? joining(request) : known;
        QueueSet before = member.assigned;
        update(member, request, clientId, clientHost);
        group.refresh();
        group.reconcile(member, reported);
        group.restartSession(member);
        boolean full = request.rebalanceTimeoutMs() != -1
                && (request.subscribedTopicNames() != null || request.subscribedTopicRegex() != null)
                && reported != null;
        return new ConsumerGroupHeartbeatResponse()
                .memberId(member.id)
                .memberEpoch(member.epoch)
                .heartbeatIntervalMs(context.timeouts().heartbeatIntervalMillis(group.groupId()))
                .assignment(joins || full || !member.assigned.equals(before) ? assignment(member.assigned) : null);
    }

    /** The queues that the member reports to have; null when it does not report them. */
    private @Nullable QueueSet reported(ConsumerGroupHeartbeatRequest request) {
        if (request.topicPartitions() == null) {
            return null;
        }
        QueueSet.Builder queues = new QueueSet.Builder();
        for (ConsumerGroupHeartbeatRequest.TopicPartitions partitions : request.topicPartitions()) {
            Topic topic = context.topics().find(partitions.topicId());
            for (int partition : partitions.partitions()) {
                int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
                if (queueId != Topic.NO_QUEUE) {
                    queues.add(queueId);
                }
            }
        }
        return queues.build();
    }

    /** The member that joins, if it is here already, perhaps under another id. */
    private @Nullable ConsumerMember known(ConsumerGroupHeartbeatRequest request) {
        ConsumerMember same = members.find(request.memberId());
        return same == null ? members.findInstance(request.instanceId()) : same;
    }

    private ConsumerMember staying(ConsumerGroupHeartbeatRequest request, @Nullable QueueSet reported) {
        ConsumerMember member = members.present(request.memberId(), request.instanceId());
        checkEpoch(member, request.memberEpoch(), reported);
        return member;
    }

    private void requireHeap(@Nullable ConsumerMember known, ConsumerGroupHeartbeatRequest request, String clientId) {
        ConsumerMember before = known == null ? new ConsumerMember("") : known;
        new MemberTexts()
                .changed(before.id, request.memberId())
                .changed(before.clientId, clientId)
                .changed(before.instanceId, request.instanceId())
                .changed(before.rackId, request.rackId())
                .changed(before.subscription.regex(), request.subscribedTopicRegex())
                .changed(before.subscription.names(), request.subscribedTopicNames())
                .requireRoom(context.group().heap());
    }

    private ConsumerMember joining(ConsumerGroupHeartbeatRequest request) {
        String memberId = request.memberId().isEmpty() ? group.newMemberId() : request.memberId();
        members.requireRoomFor(memberId);
        ConsumerMember before = members.findInstance(request.instanceId());
        if (before == null || before.id.equals(memberId)) {
            return members.findOrNew(memberId);
        }
        if (before.epoch != ConsumerMember.AWAY && before.classic == null) {
            throw new RefusedException(
                    ErrorCode.UNRELEASED_INSTANCE_ID,
                    "Static member " + memberId + " with instance id " + request.instanceId()
                            + " cannot join the group because the instance id is owned by " + before.id + " member.");
        }
        return group.replace(before, memberId);
    }

    /** The previous epoch is accepted if the member has nothing that it should not have: then the response was lost. */
    private static void checkEpoch(ConsumerMember member, int epoch, @Nullable QueueSet reported) {
        boolean responseWasLost = epoch < member.epoch
                && epoch == member.previousEpoch
                && reported != null
                && member.assigned.containsAll(reported);
        if (epoch != member.epoch && !responseWasLost) {
            throw new RefusedException(
                    ErrorCode.FENCED_MEMBER_EPOCH,
                    "The consumer group member has a " + (epoch > member.epoch ? "greater" : "smaller")
                            + " member epoch (" + epoch + ") than the one known by the group coordinator ("
                            + member.epoch + "). The member must abandon all its partitions and rejoin.");
        }
    }

    private void update(
            ConsumerMember member, ConsumerGroupHeartbeatRequest request, String clientId, String clientHost) {
        if (request.instanceId() != null) {
            members.forgetInstance(member);
        }
        MemberUpdate update = new MemberUpdate(member);
        update.client(clientId, clientHost);
        update.instanceId(request.instanceId());
        update.rackId(request.rackId());
        update.assignor(request.serverAssignor());
        update.rebalanceTimeout(request.rebalanceTimeoutMs());
        update.subscription(request.subscribedTopicNames(), request.subscribedTopicRegex());
        update.classic(null);
        group.updated(member, update);
    }

    private ConsumerGroupHeartbeatResponse.Assignment assignment(QueueSet queues) {
        return new ConsumerGroupHeartbeatResponse.Assignment()
                .topicPartitions(group.topics()
                        .byTopic(
                                queues,
                                (topic, partitions) -> new ConsumerGroupHeartbeatResponse.TopicPartitions()
                                        .topicId(topic.id())
                                        .partitions(partitions)));
    }

    private ConsumerGroupHeartbeatResponse leave(ConsumerGroupHeartbeatRequest request) {
        group.remove(members.present(request.memberId(), request.instanceId()));
        return left(request);
    }

    private ConsumerGroupHeartbeatResponse leaveForAWhile(ConsumerGroupHeartbeatRequest request) {
        group.leaveForAWhile(members.present(request.memberId(), request.instanceId()));
        return left(request);
    }

    private static ConsumerGroupHeartbeatResponse left(ConsumerGroupHeartbeatRequest request) {
        return new ConsumerGroupHeartbeatResponse().memberId(request.memberId()).memberEpoch(request.memberEpoch());
    }
}
