package io.rivulet.broker.group.classic;

import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.base.MemberLog;
import io.rivulet.broker.group.classic.ClassicState.CompletingRebalance;
import io.rivulet.broker.group.classic.ClassicState.Empty;
import io.rivulet.broker.group.classic.ClassicState.PreparingRebalance;
import io.rivulet.broker.group.classic.ClassicState.Stable;
import io.rivulet.broker.limit.LimitLog;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Admits members to a classic group: new members, known members that join again, and static members that come back
 * under a new id.
 *
 * <p>Owned by: the coordinator thread.
 */
record ClassicJoin(GroupContext context, ImageStore images, ClassicMembers members, ClassicRebalance rebalance) {
    /** The session of a new member while it waits for its first response. */
    private static final long NEW_MEMBER_MILLIS = 5 * 60 * 1000;

    void join(JoinCall call) {
        JoinGroupRequest request = call.request();
        ClassicMember known = members.find(request.memberId());
        if (!accepts(known)) {
            if (known != null) {
                rebalance.remove(known);
                rebalance.completeJoinIfAllJoined();
            }
            call.reply().accept(ClassicAnswers.joinError("", ErrorCode.GROUP_MAX_SIZE_REACHED));
        } else if (!supports(request)) {
            call.reply().accept(ClassicAnswers.joinError(request.memberId(), ErrorCode.INCONSISTENT_GROUP_PROTOCOL));
        } else if (!hasRoomFor(request, known)) {
            LimitLog.refused("rivulet.groups.bytes", "a member of a group");
            call.reply().accept(ClassicAnswers.joinError(request.memberId(), ErrorCode.POLICY_VIOLATION));
        } else if (request.memberId().isEmpty()) {
            joinAsNew(call);
        } else {
            joinAgain(call);
        }
    }

    private boolean accepts(@Nullable ClassicMember known) {
        int max = context.settings().maxMembers();
        if (rebalance.state() instanceof Empty) {
            return members.pendingCount() < max;
        }
        if (rebalance.state() instanceof PreparingRebalance) {
            return (known != null && known.isJoining()) || members.size() < max || members.joiningCount() < max;
        }
        return known != null || members.size() < max;
    }

    private boolean supports(JoinGroupRequest request) {
        if (request.protocolType().isEmpty() || request.protocols().isEmpty()) {
            return false;
        }
        return rebalance.state() instanceof Empty
                || (request.protocolType().equals(rebalance.protocolType())
                        && request.protocols().stream().anyMatch(offered -> members.isSupportedByAll(offered.name())));
    }

    /** A member that joins again with no larger protocols than before always has room. */
    private boolean hasRoomFor(JoinGroupRequest request, @Nullable ClassicMember known) {
        ClassicMember member = known == null ? members.findInstance(request.groupInstanceId()) : known;
        long before = member == null ? 0 : ClassicMember.protocolBytes(member.protocols);
        return context.heap().hasRoomFor(ClassicMember.protocolBytes(request.protocols()) - before);
    }

    // ---- new members ----

    private void joinAsNew(JoinCall call) {
        String instanceId = call.request().groupInstanceId();
        String newId = (instanceId == null ? call.clientId() : instanceId) + "-"
                + context.randomIds().get();
        ClassicMember returning = members.findInstance(instanceId);
        if (returning != null) {
            replace(returning, newId, call);
        } else if (call.needsKnownMemberId()) {
            Timers.Timer expiry = context.timers().timer(() -> pendingExpired(newId));
            expiry.set(context.clock().nanosIn(call.request().sessionTimeoutMs()));
            members.addPending(newId, expiry);
            call.reply().accept(ClassicAnswers.joinError(newId, ErrorCode.MEMBER_ID_REQUIRED));
        } else {
            add(newId, call);
        }
    }

    private void pendingExpired(String id) {
        members.removePending(id);
        rebalance.completeJoinIfAllJoined();
        images.changed();
    }

    private void add(String id, JoinCall call) {
        ClassicMember member = new ClassicMember(id, call);
        member.isNew = true;
        member.session = rebalance.sessionOf(member);
        if (members.isEmpty()) {
            rebalance.firstMemberJoins(call.request().protocolType());
        }
        if (rebalance.state() instanceof PreparingRebalance preparing) {
            preparing.memberAdded = true;
        }
        members.add(member);
        member.awaitJoin(call.reply());
        member.session.set(context.clock().nanosIn(NEW_MEMBER_MILLIS));
        rebalance.rebalance();
    }

    // ---- known members ----

    private void joinAgain(JoinCall call) {
        JoinGroupRequest request = call.request();
        String id = request.memberId();
        if (members.isPending(id) && request.groupInstanceId() == null) {
            members.removePending(id);
            add(id, call);
            return;
        }
        ErrorCode error = members.check(id, request.groupInstanceId());
        if (error != ErrorCode.NONE) {
            call.reply().accept(ClassicAnswers.joinError(id, error));
            return;
        }
        ClassicMember member = members.get(id);
        boolean unchanged = JoinCall.areEqual(member.protocols, request.protocols());
        boolean answeredAtOnce = rebalance.state() instanceof CompletingRebalance
                ? unchanged
                : rebalance.state() instanceof Stable && unchanged && !members.isLeader(member);
        if (answeredAtOnce) {
            call.reply().accept(rebalance.joinResponse(member));
        } else {
            members.update(member, () -> member.update(call));
            member.awaitJoin(call.reply());
            rebalance.rebalance();
        }
    }

    /**
     * A static member is back under a new id. It takes over its assignment, and a client that uses the old id is
     * fenced.
     */
    private void replace(ClassicMember member, String newId, JoinCall call) {
        String oldId = member.id;
        String oldLeader = members.leader();
        List<JoinGroupRequestProtocol> oldProtocols = member.protocols;
        MemberLog.replaced(images.groupId(), oldId, String.valueOf(member.instanceId));
        member.answerJoin(ClassicAnswers.joinError(oldId, ErrorCode.FENCED_INSTANCE_ID));
        member.answerSync(ClassicAnswers.syncError(ErrorCode.FENCED_INSTANCE_ID));
        members.update(member, () -> {
            members.rename(member, newId);
            member.update(call);
        });
        rebalance.restartSession(member);
        member.awaitJoin(call.reply());
        String protocol = rebalance.protocol();
        if (!(rebalance.state() instanceof Stable)) {
            rebalance.rebalance();
        } else if (protocol == null || !protocol.equals(members.selectProtocol())) {
            rebalance.prepare();
        } else {
            images.store(rebalance.encoded(members.assignments()), failure -> {
                if (members.find(newId) != member) {
                    return; // it came back once more, or was removed
                }
                rebalance.restartSession(member); // it may have ended while the member waited
                if (failure != null) {
                    member.answerJoin(ClassicAnswers.joinError("", Journal.errorOf(failure)));
                    members.update(member, () -> {
                        members.rename(member, oldId);
                        member.protocols = oldProtocols;
                    });
                } else {
                    member.answerJoin(returned(member, call, String.valueOf(oldLeader)));
                }
            });
        }
    }

    /** An old client that is the leader would compute an assignment, which is not needed here. */
    private JoinGroupResponse returned(ClassicMember member, JoinCall call, String oldLeader) {
        JoinGroupResponse response = rebalance.joinResponse(member);
        return call.maySkipAssignment()
                ? response.skipAssignment(members.isLeader(member))
                : response.leader(oldLeader).members(List.of());
    }
}
