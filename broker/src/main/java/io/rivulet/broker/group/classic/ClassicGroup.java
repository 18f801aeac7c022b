package io.rivulet.broker.group.classic;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.base.OffsetCommitter;
import io.rivulet.broker.group.classic.ClassicState.CompletingRebalance;
import io.rivulet.broker.group.classic.ClassicState.Empty;
import io.rivulet.broker.group.classic.ClassicState.PreparingRebalance;
import io.rivulet.broker.group.classic.ClassicState.Stable;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group of the classic protocol: its members assign partitions among themselves. {@link ClassicJoin} admits members,
 * {@link ClassicRebalance} is the state machine; this class is the interface of the group.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ClassicGroup implements Group, ClassicProtocol {
    private final ClassicMembers members;
    private final ClassicRebalance rebalance;
    private final ClassicJoin join;

    public ClassicGroup(GroupContext context, ImageStore images) {
        this.members = new ClassicMembers(context.heap());
        this.rebalance = new ClassicRebalance(context, images, members);
        this.join = new ClassicJoin(context, images, members, rebalance);
    }

    /** The group of a stored image. The sessions of its members start anew. */
    public static ClassicGroup of(ByteBuffer image, GroupContext context, ImageStore images) {
        ClassicImage stored = ClassicImage.decoded(image);
        ClassicGroup group = new ClassicGroup(context, images);
        stored.members().forEach(group::add);
        group.members.lead(stored.leader());
        group.rebalance.restore(stored);
        return group;
    }

    private void add(ClassicMember member) {
        members.add(member);
        rebalance.restartSession(member);
    }

    // ---- from and to the other protocol ----

    /** The members, for a group of the consumer protocol to take over. {@link #endForUpgrade} then ends this group. */
    public ClassicHandover handOver() {
        return new ClassicHandover(
                rebalance.generation(),
                members.all().stream().map(ClassicMember::handedOver).toList());
    }

    /** Members that wait for a response join again, and find the group of the consumer protocol. */
    public void endForUpgrade() {
        end(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    /**
     * A group of the last members of a group of the consumer protocol.
     *
     * @param stable whether they keep their assignments; otherwise all of them join again
     */
    public static ClassicGroup takeOver(
            ClassicHandover handed, boolean stable, GroupContext context, ImageStore images) {
        ClassicGroup group = new ClassicGroup(context, images);
        handed.members().forEach(one -> group.add(ClassicMember.of(one)));
        group.rebalance.restoreFromConsumerGroup(handed.generation(), stable);
        return group;
    }

    // ---- join and sync ----

    @Override
    public void join(JoinCall call) {
        join.join(call);
    }

    @Override
    public void sync(SyncGroupRequest request, Consumer<SyncGroupResponse> reply) {
        ErrorCode error = checkSync(request);
        if (error != ErrorCode.NONE) {
            reply.accept(ClassicAnswers.syncError(error));
            return;
        }
        ClassicMember member = members.get(request.memberId());
        if (rebalance.state() instanceof CompletingRebalance completing) {
            rebalance.synced(completing.membersToSync, member);
            member.awaitSync(reply);
            if (members.isLeader(member) && !completing.storing) {
                rebalance.store(completing, request.assignments());
            }
        } else if (rebalance.state() instanceof Stable stable) {
            rebalance.synced(stable.membersToSync(), member);
            reply.accept(rebalance.syncResponse(member));
        }
    }

    private ErrorCode checkSync(SyncGroupRequest request) {
        if (rebalance.state() instanceof Empty) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        ErrorCode error = checkGeneration(request.memberId(), request.groupInstanceId(), request.generationId());
        if (error != ErrorCode.NONE) {
            return error;
        }
        if ((request.protocolType() != null && !request.protocolType().equals(protocolType()))
                || (request.protocolName() != null && !request.protocolName().equals(rebalance.protocol()))) {
            return ErrorCode.INCONSISTENT_GROUP_PROTOCOL;
        }
        return rebalance.state() instanceof PreparingRebalance ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
    }

    // ---- heartbeat ----

    @Override
    public ErrorCode heartbeat(HeartbeatRequest request) {
        ErrorCode error = checkGeneration(request.memberId(), request.groupInstanceId(), request.generationId());
        if (error != ErrorCode.NONE) {
            return error;
        }
        rebalance.restartSession(members.get(request.memberId()));
        return rebalance.state() instanceof PreparingRebalance ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
    }

    private ErrorCode checkGeneration(String memberId, @Nullable String instanceId, int generation) {
        ErrorCode error = members.check(memberId, instanceId);
        return error == ErrorCode.NONE && generation != rebalance.generation() ? ErrorCode.ILLEGAL_GENERATION : error;
    }

    // ---- leave ----

    @Override
    public ErrorCode leave(String memberId, @Nullable String instanceId) {
        if (members.isPending(memberId)) {
            members.removePending(memberId);
            return ErrorCode.NONE;
        }
        ClassicMember named = members.findInstance(instanceId);
        String id = memberId.isEmpty() && named != null ? named.id : memberId;
        ErrorCode error = members.check(id, instanceId);
        if (error != ErrorCode.NONE) {
            return error;
        }
        ClassicMember member = members.get(id);
        member.answerJoin(ClassicAnswers.joinError("", ErrorCode.UNKNOWN_MEMBER_ID));
        rebalance.remove(member);
        return ErrorCode.NONE;
    }

    @Override
    public void membersLeft() {
        rebalance.membersRemoved();
    }

    // ---- for all kinds of groups ----

    @Override
    public String type() {
        return "classic";
    }

    @Override
    public String stateName() {
        return rebalance.state().kafkaName();
    }

    @Override
    public String protocolType() {
        return rebalance.protocolType();
    }

    @Override
    public boolean isEmpty() {
        return rebalance.state() instanceof Empty;
    }

    @Override
    public boolean isIdle() {
        return isEmpty() && members.pendingCount() == 0;
    }

    @Override
    public long emptySinceMillis(long latestMillis) {
        long sinceMillis = rebalance.sinceMillis(latestMillis);
        return isEmpty() && !protocolType().isEmpty() ? sinceMillis : -1;
    }

    @Override
    public boolean offsetsMayExpire() {
        return isEmpty() || (rebalance.state() instanceof Stable && rebalance.subscribed() != null);
    }

    @Override
    public boolean isSubscribedTo(String topicName) {
        SubscribedTopics topics = rebalance.subscribed();
        return !isEmpty() && (topics == null ? rebalance.isOfConsumers() : topics.contains(topicName));
    }

    @Override
    public boolean knowsItsTopics() {
        return isEmpty() || rebalance.isOfConsumers();
    }

    @Override
    public ErrorCode checkCommit(OffsetCommitter committer) {
        String memberId = committer.memberId();
        String instanceId = committer.instanceId();
        int memberGeneration = committer.generation();
        if (memberGeneration < 0 && isEmpty()) {
            return ErrorCode.NONE;
        }
        if (memberGeneration < 0 && memberId.isEmpty() && instanceId == null) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        ErrorCode error = checkGeneration(memberId, instanceId, memberGeneration);
        if (error != ErrorCode.NONE) {
            return error;
        }
        if (rebalance.state() instanceof CompletingRebalance) {
            return ErrorCode.REBALANCE_IN_PROGRESS;
        }
        rebalance.restartSession(members.get(memberId));
        return ErrorCode.NONE;
    }

    @Override
    public ErrorCode checkFetch(@Nullable String memberId, int memberEpoch) {
        return ErrorCode.NONE;
    }

    @Override
    public int memberCount() {
        return members.size();
    }

    /** Fills in everything except the group's id. */
    public void describe(DescribedGroup place) {
        boolean stable = rebalance.state() instanceof Stable;
        String protocol = rebalance.protocol();
        place.groupState(stateName())
                .protocolType(protocolType())
                .protocolData(stable && protocol != null ? protocol : "")
                .members(members.described(protocol, stable));
    }

    @Override
    public void close() {
        end(ErrorCode.COORDINATOR_NOT_AVAILABLE);
    }

    private void end(ErrorCode error) {
        rebalance.close();
        for (ClassicMember member : members.listed()) {
            member.answerJoin(ClassicAnswers.joinError(member.id, error));
            member.answerSync(ClassicAnswers.syncError(error));
            members.remove(member);
        }
    }
}
