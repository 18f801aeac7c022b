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
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a classic group: its state, its generation, and its transitions. All members join. The broker
 * chooses a protocol that all support, and a leader. The leader's assignment is stored, and each member gets its part.
 *
 * <pre>
 *  from                 to                   when
 *  Empty                PreparingRebalance   the first member joins; the initial delay gives others time to join
 *  PreparingRebalance   CompletingRebalance  all members have joined, or the time is up and one has;
 *                                            a generation begins
 *  PreparingRebalance   Empty                the time is up or the last member left, and no member has joined
 *  CompletingRebalance  Stable               the leader's assignment is durable
 *  CompletingRebalance  PreparingRebalance   a member joins, leaves, changes, times out, or does not sync in time;
 *                                            the assignment could not be stored
 *  Stable               PreparingRebalance   a member joins, leaves, changes or times out; the leader joins again
 *  Stable               Stable               a static member comes back under a new id, and nothing else changes
 * </pre>
 *
 * Kafka's "Dead" is a group that does not exist. A group that is read from the log is Stable or Empty.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ClassicRebalance {
    private static final String CONSUMER = "consumer";
    private static final byte[] NO_ASSIGNMENT = {};

    private final GroupContext context;
    private final ImageStore images;
    private final ClassicMembers members;
    /** Ends the current phase of a rebalance. */
    private final Timers.Timer phase;

    private ClassicState state = new Empty();
    private long sinceMillis;
    private int generation;
    private String protocolType = "";
    private @Nullable String protocol;
    private @Nullable SubscribedTopics subscribed;

    ClassicRebalance(GroupContext context, ImageStore images, ClassicMembers members) {
        this.context = context;
        this.images = images;
        this.members = members;
        this.phase = context.timers().timer(this::phaseExpired);
    }

    // ---- start and end ----

    /** Continues from the image, whose members have been added. */
    void restore(ClassicImage image) {
        sinceMillis = image.sinceMillis();
        generation = image.generation();
        protocolType = image.protocolType();
        protocol = image.protocol();
        if (!members.isEmpty()) {
            state = new Stable(new HashSet<>());
            rememberTopics(subscribedTopics());
        }
        if (members.size() > context.settings().maxMembers()) {
            prepare();
        }
    }

    /** Continues with members that come from a group of the consumer protocol. Unless it is stable, they join again. */
    void restoreFromConsumerGroup(int lastGeneration, boolean stable) {
        generation = lastGeneration;
        protocolType = CONSUMER;
        protocol = members.selectProtocol();
        state = new Stable(new HashSet<>());
        if (stable && protocol != null) {
            rememberTopics(subscribedTopics());
        } else {
            prepare();
        }
    }

    void close() {
        phase.cancel();
        rememberTopics(null);
    }

    // ---- joining ----

    void firstMemberJoins(String newProtocolType) {
        protocolType = newProtocolType;
    }

    /** A member has joined or changed: all members join again, unless a rebalance is under way. */
    void rebalance() {
        if (state instanceof PreparingRebalance preparing) {
            if (!preparing.initial) {
                completeJoinIfAllJoined();
            }
        } else {
            prepare();
        }
    }

    void prepare() {
        if (state instanceof CompletingRebalance) {
            propagate(Map.of(), ErrorCode.REBALANCE_IN_PROGRESS);
        }
        PreparingRebalance preparing = new PreparingRebalance();
        preparing.initial = state instanceof Empty;
        state = preparing;
        long timeoutMillis = members.rebalanceTimeoutMillis();
        if (preparing.initial) {
            int delayMillis = context.settings().initialRebalanceDelayMillis();
            preparing.initialDelayLeftMillis = Math.max(timeoutMillis - delayMillis, 0);
            setPhase(delayMillis);
        } else {
            setPhase(timeoutMillis);
            completeJoinIfAllJoined();
        }
    }

    void completeJoinIfAllJoined() {
        if (state instanceof PreparingRebalance && members.haveAllJoined()) {
            completeJoin();
        }
    }

    private void setPhase(long millis) {
        phase.set(context.clock().nanosIn(millis));
    }

    private void phaseExpired() {
        if (state instanceof PreparingRebalance preparing) {
            if (preparing.initial && preparing.memberAdded && preparing.initialDelayLeftMillis > 0) {
                extendInitialDelay(preparing);
            } else {
                completeJoin();
            }
        } else if (state instanceof CompletingRebalance completing) {
            removeUnsynced(completing.membersToSync);
        } else if (state instanceof Stable stable) {
            removeUnsynced(stable.membersToSync());
        }
        images.changed();
    }

    private void extendInitialDelay(PreparingRebalance preparing) {
        long delayMillis = Math.min(context.settings().initialRebalanceDelayMillis(), preparing.initialDelayLeftMillis);
        preparing.initialDelayLeftMillis -= delayMillis;
        preparing.memberAdded = false;
        setPhase(delayMillis);
    }

    private void removeUnsynced(Set<String> ids) {
        for (String id : List.copyOf(ids)) {
            ClassicMember member = members.find(id);
            if (member != null) {
                remove(member);
            }
        }
        prepare();
    }

    /** Continues with the members that have joined. Static members may be away until their session ends. */
    private void completeJoin() {
        for (ClassicMember member : members.listed()) {
            if (!member.isJoining() && member.instanceId == null) {
                remove(member);
            }
        }
        if (members.isEmpty()) {
            becomeEmpty();
        } else if (!members.electLeader()) {
            setPhase(members.rebalanceTimeoutMillis());
        } else {
            beginGeneration();
        }
    }

    private void becomeEmpty() {
        phase.cancel();
        state = new Empty();
        sinceMillis = context.clock().stampMillis();
        generation++;
        protocol = null;
        rememberTopics(null);
        // If this is lost, the group comes back with members whose sessions soon expire.
        images.store(encoded(Map.of()), failure -> {});
    }

    private void beginGeneration() {
        generation++;
        protocol = members.selectProtocol();
        rememberTopics(subscribedTopics());
        sinceMillis = context.clock().stampMillis();
        state = new CompletingRebalance(members.ids());
        setPhase(members.rebalanceTimeoutMillis());
        for (ClassicMember member : members.all()) {
            member.isNew = false;
            restartSession(member);
            member.answerJoin(joinResponse(member));
        }
    }

    JoinGroupResponse joinResponse(ClassicMember member) {
        return new JoinGroupResponse()
                .generationId(generation)
                .protocolType(protocolType)
                .protocolName(protocol)
                .leader(String.valueOf(members.leader()))
                .memberId(member.id)
                .members(members.isLeader(member) ? members.joinResponseMembers(protocol) : List.of());
    }

    private void rememberTopics(@Nullable SubscribedTopics topics) {
        context.heap()
                .add((topics == null ? 0 : topics.heapBytes()) - (subscribed == null ? 0 : subscribed.heapBytes()));
        subscribed = topics;
    }

    private @Nullable SubscribedTopics subscribedTopics() {
        return isOfConsumers()
                ? SubscribedTopics.of(members.all().stream()
                        .map(member -> member.metadata(protocol))
                        .toList())
                : null;
    }

    // ---- assignments ----

    void synced(Set<String> membersToSync, ClassicMember member) {
        membersToSync.remove(member.id);
        if (membersToSync.isEmpty()) {
            phase.cancel();
        }
    }

    /** Stores the leader's assignment. When it is durable, the group is stable. */
    void store(CompletingRebalance completing, List<SyncGroupRequestAssignment> assigned) {
        Map<String, byte[]> assignments = new HashMap<>();
        long bytes = 0;
        for (SyncGroupRequestAssignment one : assigned) {
            assignments.put(one.memberId(), one.assignment());
            bytes += 2L * one.assignment().length;
        }
        for (ClassicMember member : members.all()) {
            bytes -= 2L * member.assignment.length;
        }
        if (!context.heap().hasRoomFor(bytes)) {
            propagate(Map.of(), ErrorCode.POLICY_VIOLATION);
            prepare();
            return;
        }
        completing.storing = true;
        images.store(encoded(assignments), failure -> {
            if (state != completing) {
                return; // the members have changed since, and all join again
            }
            if (failure == null) {
                state = new Stable(completing.membersToSync);
                propagate(assignments, ErrorCode.NONE);
            } else {
                propagate(Map.of(), Journal.errorOf(failure));
                prepare();
            }
        });
    }

    /** Gives each member its assignment, or none and the error, and answers the syncs that wait for it. */
    private void propagate(Map<String, byte[]> assignments, ErrorCode error) {
        for (ClassicMember member : members.all()) {
            members.assign(member, assignments.getOrDefault(member.id, NO_ASSIGNMENT));
            SyncGroupResponse response =
                    error == ErrorCode.NONE ? syncResponse(member) : ClassicAnswers.syncError(error);
            if (member.answerSync(response)) {
                restartSession(member);
            }
        }
    }

    SyncGroupResponse syncResponse(ClassicMember member) {
        return new SyncGroupResponse()
                .protocolType(protocolType)
                .protocolName(protocol)
                .assignment(member.assignment);
    }

    ByteBuffer encoded(Map<String, byte[]> assignments) {
        return new ClassicImage(sinceMillis, generation, protocolType, protocol, members.leader(), members.listed())
                .encoded(assignments);
    }

    // ---- members that time out or leave ----

    void restartSession(ClassicMember member) {
        Timers.Timer session = member.session;
        if (session == null) {
            session = sessionOf(member);
            member.session = session;
        }
        session.set(context.clock().nanosIn(member.sessionTimeoutMillis));
    }

    Timers.Timer sessionOf(ClassicMember member) {
        return context.timers().timer(() -> sessionExpired(member));
    }

    /**
     * A member that waits for a response sends no heartbeats, so it stays. A new member is removed, because its client
     * may have given up.
     */
    private void sessionExpired(ClassicMember member) {
        if (!member.isNew && (member.isJoining() || member.isSyncing())) {
            return;
        }
        MemberLog.removed(
                images.groupId(),
                member.id,
                member.clientHost,
                "no heartbeat for " + member.sessionTimeoutMillis + " ms");
        member.answerJoin(ClassicAnswers.joinError("", ErrorCode.UNKNOWN_MEMBER_ID));
        remove(member);
        membersRemoved();
        images.changed();
    }

    /** Removes the member without a rebalance; {@link #membersRemoved} follows if all must join again. */
    void remove(ClassicMember member) {
        members.remove(member);
        if (state instanceof CompletingRebalance completing) {
            completing.membersToSync.remove(member.id);
        } else if (state instanceof Stable stable) {
            stable.membersToSync().remove(member.id);
        }
        member.answerSync(ClassicAnswers.syncError(ErrorCode.UNKNOWN_MEMBER_ID));
    }

    void membersRemoved() {
        if (state instanceof PreparingRebalance) {
            completeJoinIfAllJoined();
        } else if (!(state instanceof Empty)) {
            prepare();
        }
    }

    // ---- state ----

    ClassicState state() {
        return state;
    }

    int generation() {
        return generation;
    }

    String protocolType() {
        return protocolType;
    }

    boolean isOfConsumers() {
        return protocolType.equals(CONSUMER);
    }

    @Nullable
    String protocol() {
        return protocol;
    }

    /** Null when the subscriptions of the members are unknown. */
    @Nullable
    SubscribedTopics subscribed() {
        return subscribed;
    }

    /** When the state began. If that is later than the given time, it is set to that time. */
    long sinceMillis(long latestMillis) {
        sinceMillis = Math.min(sinceMillis, latestMillis);
        return sinceMillis;
    }
}
