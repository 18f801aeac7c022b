package io.rivulet.broker.group.consumer;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.MemberTexts;
import io.rivulet.broker.group.classic.ClassicAnswers;
import io.rivulet.broker.group.classic.ClassicHandover;
import io.rivulet.broker.group.classic.ClassicProtocol;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves members of the classic protocol in a group of the consumer protocol, while clients are upgraded one after the
 * other. Their generation is the member epoch. When the assignment changes, the response to a heartbeat makes them join
 * again. A join is a step of {@link Reconciliation}, and a sync returns its result. None of them is a leader.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ClassicMemberAdapter implements ClassicProtocol {
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
            update.classic(new ClassicMetadata(one.sessionTimeoutMillis(), one.protocols()));
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
                    classic.protocols(),
                    assignment(member, classic)));
        }
        return new ClassicHandover(group.target().groupEpoch(), handed);
    }

    /** Whether only members of the classic protocol are left. */
    public boolean hasOnlyClassicMembers() {
        return !group.isEmpty() && group.members().all().stream().allMatch(member -> member.classic != null);
    }

    // ---- join ----

    @Override
    public void join(JoinCall call) {
        try {
            JoinGroupResponse response = joined(call);
            group.whenDurable(failure -> call.reply()
                    .accept(
                            failure == null
                                    ? response
                                    : ClassicAnswers.joinRefused(call.version(), Journal.errorOf(failure))));
        } catch (RefusedException e) {
            call.reply().accept(ClassicAnswers.joinRefused(call.version(), e.code()));
        }
    }

    /** @throws RefusedException when the member gets an error; then nothing has changed */
    JoinGroupResponse joined(JoinCall call) {
        JoinGroupRequest request = call.request();
        requireMigration();
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
        requireHeap(known(memberId, request.groupInstanceId(), isNew), call, memberId);
        ConsumerMember member = joining(memberId, request.groupInstanceId(), isNew);
        MemberUpdate update = new MemberUpdate(member);
        update.client(call.clientId(), call.clientHost());
        update.instanceId(request.groupInstanceId());
        update.rackId(subscription.rackId());
        update.rebalanceTimeout(
                request.rebalanceTimeoutMs() < 0 ? request.sessionTimeoutMs() : request.rebalanceTimeoutMs());
        update.subscription(subscription.topics(), "");
        update.classic(new ClassicMetadata(request.sessionTimeoutMs(), request.protocols()));
        group.updated(member, update);
        group.refresh();
        group.reconcile(
                member, EmbeddedProtocol.owned(subscription, group.context().topics()));
        group.restartSession(member);
        group.restartRevocation(member); // the member must sync within this time
        return new JoinGroupResponse()
                .memberId(member.id)
                .generationId(member.epoch)
                .protocolType(PROTOCOL_TYPE)
                .protocolName(classicMetadata(member).protocols().get(0).name());
    }

    /** The subscription is in the metadata, too. */
    private void requireHeap(@Nullable ConsumerMember known, JoinCall call, String memberId) {
        JoinGroupRequest request = call.request();
        ConsumerMember before = known == null ? new ConsumerMember("") : known;
        new MemberTexts()
                .changed(before.id, memberId)
                .changed(before.clientId, call.clientId())
                .changed(before.instanceId, request.groupInstanceId())
                .changed(before.classic == null ? 0 : bytes(before.classic.protocols()), bytes(request.protocols()))
                .requireRoom(group.context().group().heap());
    }

    private static long bytes(List<JoinGroupRequestProtocol> protocols) {
        return protocols.stream()
                .mapToLong(offered -> MemberTexts.bytes(offered.name()) + offered.metadata().length)
                .sum();
    }

    /** The member that joins, if it is here already, perhaps under another id. */
    private @Nullable ConsumerMember known(String memberId, @Nullable String instanceId, boolean isNew) {
        if (isNew) {
            return group.members().findInstance(instanceId);
        }
        return instanceId == null
                ? group.members().find(memberId)
                : group.members().present(memberId, instanceId);
    }

    private void requireMigration() {
        ConsumerGroupSettings settings = group.context().settings();
        if (!settings.upgrade() && !settings.downgrade()) {
            throw new RefusedException(
                    ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "Groups may not have members of both protocols.");
        }
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

    @Override
    public void sync(SyncGroupRequest request, Consumer<SyncGroupResponse> reply) {
        try {
            SyncGroupResponse response = synced(request);
            group.whenDurable(failure ->
                    reply.accept(failure == null ? response : ClassicAnswers.syncError(Journal.errorOf(failure))));
        } catch (RefusedException e) {
            reply.accept(ClassicAnswers.syncError(e.code()));
        }
    }

    SyncGroupResponse synced(SyncGroupRequest request) {
        ConsumerMember member = present(request.memberId(), request.groupInstanceId(), request.generationId());
        ClassicMetadata classic = classicMetadata(member);
        String protocol = classic.protocols().get(0).name();
        if ((request.protocolType() != null && !request.protocolType().equals(PROTOCOL_TYPE))
                || (request.protocolName() != null && !request.protocolName().equals(protocol))) {
            throw new RefusedException(
                    ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "The protocol differs from that of the join.");
        }
        if (group.target().targetEpoch() > member.epoch && member.state != State.UNREVOKED_PARTITIONS) {
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

    @Override
    public ErrorCode heartbeat(HeartbeatRequest request) {
        return answered(() -> alive(request));
    }

    /** @throws RefusedException when the member must join again, or gets another error */
    void alive(HeartbeatRequest request) {
        ConsumerMember member = present(request.memberId(), request.groupInstanceId(), request.generationId());
        group.restartSession(member);
        group.refresh();
        boolean changed = member.epoch < group.target().targetEpoch()
                || member.state == State.UNREVOKED_PARTITIONS
                || (member.state == State.UNRELEASED_PARTITIONS && group.canGetMore(member));
        if (changed) {
            throw joinAgain(member);
        }
    }

    private ErrorCode answered(Runnable request) {
        try {
            request.run();
            return ErrorCode.NONE;
        } catch (RefusedException e) {
            return e.code();
        } finally {
            group.writeChanges();
        }
    }

    private RefusedException joinAgain(ConsumerMember member) {
        if (member.revocation == null || !member.revocation.isSet()) {
            group.restartRevocation(member);
        }
        return new RefusedException(ErrorCode.REBALANCE_IN_PROGRESS, "The assignment has changed; join again.");
    }

    @Override
    public ErrorCode leave(String memberId, @Nullable String instanceId) {
        return answered(() -> {
            ConsumerMember member = memberId.isEmpty() ? group.members().findInstance(instanceId) : null;
            group.remove(member == null ? group.members().present(memberId, instanceId) : member);
        });
    }

    @Override
    public void membersLeft() {}

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
            throw new IllegalStateException("member " + member.id + " uses the consumer protocol");
        }
        return classic;
    }
}
