package io.rivulet.broker.group.consumer;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.classic.ClassicHandover;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.broker.group.consumer.ConsumerMember.State;
import io.rivulet.protocol.message.ConsumerProtocolSubscription;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves members of the classic protocol in a group of the consumer protocol, while clients are upgraded one after the
 * other. Their generation is the member epoch. A heartbeat tells them to join again when the assignment changes; a join
 * is a step of {@link Reconciliation}, and a sync returns its result. None of them is a leader.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ClassicMemberAdapter {
    private static final String PROTOCOL_TYPE = "consumer";

    private final ConsumerGroup group;

    ClassicMemberAdapter(ConsumerGroup group) {
        this.group = group;
    }

    // ---- from and to the other protocol ----

    /** Takes over the members of a classic group with their assignments. */
    void takeOver(ClassicHandover handed) {
        group.target().restore(handed.generation(), handed.generation(), 0, -1);
        for (ClassicHandover.Member one : handed.members()) {
            ConsumerProtocolSubscription subscription = EmbeddedProtocol.subscription(metadata(one.protocols()));
            ConsumerMember member = new ConsumerMember(one.id());
            MemberUpdate update = new MemberUpdate(member);
            update.client(one.clientId(), one.clientHost());
            update.instanceId(one.instanceId());
            update.rackId(subscription.rackId());
            update.rebalanceTimeout(one.rebalanceTimeoutMillis());
            update.subscription(subscription.topics(), "");
            update.classic(classicMetadata(one.sessionTimeoutMillis(), one.protocols()));
            member.moveTo(handed.generation());
            group.takeOver(
                    member,
                    EmbeddedProtocol.assigned(one.assignment(), group.context().topics()));
        }
    }

    private static byte[] metadata(List<JoinGroupRequestProtocol> protocols) {
        if (protocols.isEmpty()) {
            throw new RefusedException(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "A member names no protocol.");
        }
        return protocols.get(0).metadata();
    }

    private static ClassicMetadata classicMetadata(int sessionTimeoutMillis, List<JoinGroupRequestProtocol> protocols) {
        return new ClassicMetadata(
                sessionTimeoutMillis,
                protocols.stream()
                        .map(offered -> new ClassicMetadata.Protocol(offered.name(), offered.metadata()))
                        .toList());
    }

    /** The members, all of the classic protocol, for a classic group to take over. */
    public ClassicHandover handOver() {
        List<ClassicHandover.Member> handed = new ArrayList<>();
        for (ConsumerMember member : group.members().all()) {
            ClassicMetadata classic = classicMetadata(member);
            handed.add(new ClassicHandover.Member(
                    member.id,
                    member.instanceId,
                    member.clientId,
                    member.clientHost,
                    classic.sessionTimeoutMillis(),
                    member.rebalanceTimeoutMillis,
                    classic.protocols().stream()
                            .map(offered -> new JoinGroupRequestProtocol()
                                    .name(offered.name())
                                    .metadata(offered.metadata()))
                            .toList(),
                    assignment(member, classic)));
        }
        return new ClassicHandover(group.target().groupEpoch(), handed);
    }

    /** Whether only members of the classic protocol are left. */
    public boolean hasOnlyClassicMembers() {
        return !group.isEmpty() && group.members().all().stream().allMatch(member -> member.classic != null);
    }

    // ---- join ----

    /** @throws RefusedException when the member gets an error; then nothing has changed */
    public JoinGroupResponse join(JoinCall call) {
        JoinGroupRequest request = call.request();
        boolean isNew = request.memberId().isEmpty();
        String memberId = isNew ? group.newMemberId() : request.memberId();
        group.members().requireRoomFor(memberId);
        requireSupport(request);
        group.topics().requireKnown();
        if (isNew && call.needsKnownMemberId()) {
            return new JoinGroupResponse()
                    .memberId(memberId)
                    .errorCode(ErrorCode.MEMBER_ID_REQUIRED.code())
                    .protocolName("");
        }
        ConsumerProtocolSubscription subscription = EmbeddedProtocol.subscription(metadata(request.protocols()));
        group.topics().requireRoomFor(subscription.topics());
        ConsumerMember member = joining(memberId, request.groupInstanceId(), isNew);
        MemberUpdate update = new MemberUpdate(member);
        update.client(call.clientId(), call.clientHost());
        update.instanceId(request.groupInstanceId());
        update.rackId(subscription.rackId());
        update.rebalanceTimeout(
                request.rebalanceTimeoutMs() < 0 ? request.sessionTimeoutMs() : request.rebalanceTimeoutMs());
        update.subscription(subscription.topics(), "");
        update.classic(classicMetadata(request.sessionTimeoutMs(), request.protocols()));
        group.updated(member, update);
        group.refresh();
        group.reconcile(
                member, EmbeddedProtocol.owned(subscription, group.context().topics()));
        group.restartSession(member);
        group.restartRevocation(member); // it has so long to sync
        return new JoinGroupResponse()
                .memberId(member.id)
                .generationId(member.epoch)
                .protocolType(PROTOCOL_TYPE)
                .protocolName(classicMetadata(member).protocols().get(0).name());
    }

    private void requireSupport(JoinGroupRequest request) {
        boolean supported = request.protocolType().equals(PROTOCOL_TYPE)
                && !request.protocols().isEmpty()
                && request.protocols().stream()
                        .anyMatch(offered -> group.members().all().stream()
                                .allMatch(member -> member.classic == null || member.classic.supports(offered.name())));
        if (!supported) {
            throw new RefusedException(
                    ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "The protocols of the member are not supported.");
        }
    }

    private ConsumerMember joining(String memberId, @Nullable String instanceId, boolean isNew) {
        if (instanceId == null) {
            return group.members().findOrNew(memberId);
        }
        ConsumerMember before = group.members().findInstance(instanceId);
        if (!isNew) {
            return group.members().present(memberId, instanceId);
        }
        return before == null ? new ConsumerMember(memberId) : group.replace(before, memberId);
    }

    // ---- sync ----

    public SyncGroupResponse sync(SyncGroupRequest request) {
        ConsumerMember member = present(request.memberId(), request.groupInstanceId(), request.generationId());
        ClassicMetadata classic = classicMetadata(member);
        String protocol = classic.protocols().get(0).name();
        if ((request.protocolType() != null && !request.protocolType().equals(PROTOCOL_TYPE))
                || (request.protocolName() != null && !request.protocolName().equals(protocol))) {
            throw new RefusedException(
                    ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "The protocol differs from that of the join.");
        }
        if (group.target().groupEpoch() > member.epoch && member.state != State.UNREVOKED_PARTITIONS) {
            throw joinAgain(member);
        }
        group.restartSession(member);
        if (member.state != State.UNREVOKED_PARTITIONS) {
            member.cancelRevocation();
        }
        return new SyncGroupResponse()
                .protocolType(PROTOCOL_TYPE)
                .protocolName(protocol)
                .assignment(assignment(member, classic));
    }

    private byte[] assignment(ConsumerMember member, ClassicMetadata classic) {
        return EmbeddedProtocol.assignment(
                member.assigned, group.topics(), classic.protocols().get(0).metadata());
    }

    // ---- heartbeat and leave ----

    public ErrorCode heartbeat(HeartbeatRequest request) {
        ConsumerMember member = present(request.memberId(), request.groupInstanceId(), request.generationId());
        group.restartSession(member);
        group.refresh();
        boolean somethingNew = member.epoch < group.target().groupEpoch()
                || member.state == State.UNREVOKED_PARTITIONS
                || (member.state == State.UNRELEASED_PARTITIONS && group.canGetMore(member));
        return somethingNew ? joinAgain(member).code() : ErrorCode.NONE;
    }

    private RefusedException joinAgain(ConsumerMember member) {
        if (member.revocation == null || !member.revocation.isSet()) {
            group.restartRevocation(member);
        }
        return new RefusedException(ErrorCode.REBALANCE_IN_PROGRESS, "The assignment has changed; join again.");
    }

    public void leave(String memberId, @Nullable String instanceId) {
        ConsumerMember member =
                memberId.isEmpty() && instanceId != null ? group.members().findInstance(instanceId) : null;
        group.remove(member == null ? group.members().present(memberId, instanceId) : member);
    }

    private ConsumerMember present(String memberId, @Nullable String instanceId, int generation) {
        ConsumerMember member = group.members().present(memberId, instanceId);
        if (member.classic == null) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_MEMBER_ID, "Member " + memberId + " does not use the classic protocol.");
        }
        if (generation != member.epoch) {
            throw new RefusedException(
                    ErrorCode.ILLEGAL_GENERATION,
                    "The generation is " + generation + ", but the member epoch is " + member.epoch + ".");
        }
        return member;
    }

    private static ClassicMetadata classicMetadata(ConsumerMember member) {
        ClassicMetadata classic = member.classic;
        if (classic == null) {
            throw new IllegalStateException(member.id + " is of the consumer protocol");
        }
        return classic;
    }
}
