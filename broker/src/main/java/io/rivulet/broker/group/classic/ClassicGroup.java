package io.rivulet.broker.group.classic;

import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.classic.ClassicState.CompletingRebalance;
import io.rivulet.broker.group.classic.ClassicState.Empty;
import io.rivulet.broker.group.classic.ClassicState.PreparingRebalance;
import io.rivulet.broker.group.classic.ClassicState.Stable;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group whose members assign among themselves. All of them join, the broker chooses a protocol that all support and a leader; the
 * leader makes an assignment of whatever kind and hands it in with its sync; when it is in the log, each gets its part.
 *
 * <pre>
 *  from                 to                   when
 *  Empty                PreparingRebalance   the first member joins; others are waited for during the initial delay
 *  PreparingRebalance   CompletingRebalance  all members have joined, or time is up and at least one has; a generation begins
 *  PreparingRebalance   Empty                time is up or the last one left, and nobody has joined
 *  CompletingRebalance  Stable               the leader's assignment is durable
 *  CompletingRebalance  PreparingRebalance   a member joins, leaves, changes, is silent, or does not sync in time;
 *                                            the assignment could not be stored
 *  Stable               PreparingRebalance   a member joins, leaves, changes or is silent; the leader joins again
 *  Stable               Stable               a static member comes back under a new id, and nothing else changes
 * </pre>
 *
 * "Dead" is what Kafka calls a group that is not there. A group that is read from the log is Stable or Empty.
 *
 * <p>Owned by: the thread that owns the groups.
 */
public final class ClassicGroup implements Group {
    /** The first byte of the group's image in the log. */
    public static final byte IMAGE_KIND = ClassicImage.KIND;

    /** A new member whose answer takes longer is taken for gone, for it has no session yet. */
    private static final long NEW_MEMBER_MILLIS = 5 * 60 * 1000;

    private static final byte[] NOTHING = {};
    private static final String CONSUMER = "consumer";

    private final GroupContext around;
    private final ImageStore images;
    private final ClassicMembers members;
    /** Ends the phase of a rebalance. */
    private final Timers.Timer phase;

    private ClassicState state = new Empty();
    private long sinceMillis;
    private int generation;
    private String protocolType = "";
    private @Nullable String protocol;
    private @Nullable SubscribedTopics subscribed;

    public ClassicGroup(GroupContext around, ImageStore images) {
        this.around = around;
        this.images = images;
        this.members = new ClassicMembers(around.heap());
        this.phase = around.timers().timer(this::phaseExpired);
    }

    /** As it was when the image was stored. All members have just been heard of. */
    public static ClassicGroup of(ByteBuffer image, GroupContext around, ImageStore images) {
        ClassicImage stored = ClassicImage.decoded(image);
        ClassicGroup group = new ClassicGroup(around, images);
        group.sinceMillis = stored.sinceMillis();
        group.generation = stored.generation();
        group.protocolType = stored.protocolType();
        group.protocol = stored.protocol();
        for (ClassicMember member : stored.members()) {
            group.members.add(member);
            group.heard(member);
        }
        group.members.lead(stored.leader());
        if (!stored.members().isEmpty()) {
            group.state = new Stable(new HashSet<>());
            group.rememberTopics(group.subscribedTopics());
        }
        if (group.members.size() > around.settings().maxMembers()) {
            group.prepareRebalance();
        }
        return group;
    }

    // ---- from and to the other protocol ----

    /** The members, for a group of the consumer protocol to take over; this one is then ended by {@link #endForUpgrade}. */
    public ClassicHandover handOver() {
        return new ClassicHandover(
                generation,
                members.all().stream().map(ClassicMember::handedOver).toList());
    }

    /** Who waits joins again, and finds the group of the consumer protocol. */
    public void endForUpgrade() {
        end(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    /** A group of members that come from one of the consumer protocol, of which they were the last. All join again. */
    public static ClassicGroup takeOver(ClassicHandover handed, GroupContext around, ImageStore images) {
        ClassicGroup group = new ClassicGroup(around, images);
        group.generation = handed.generation();
        group.protocolType = CONSUMER;
        for (ClassicHandover.Member one : handed.members()) {
            ClassicMember member = ClassicMember.of(one);
            group.members.add(member);
            group.heard(member);
        }
        group.protocol = group.members.selectProtocol();
        group.state = new Stable(new HashSet<>());
        group.prepareRebalance();
        return group;
    }

    // ---- join ----

    public void join(JoinCall call) {
        JoinGroupRequest request = call.request();
        ClassicMember known = members.find(request.memberId());
        if (!accepts(known)) {
            if (known != null) {
                removeSilently(known);
                completeJoinIfAllAreThere();
            }
            call.reply().accept(ClassicAnswers.joinError("", ErrorCode.GROUP_MAX_SIZE_REACHED));
        } else if (!supports(request)) {
            call.reply().accept(ClassicAnswers.joinError(request.memberId(), ErrorCode.INCONSISTENT_GROUP_PROTOCOL));
        } else if (!hasRoomFor(request, known)) {
            call.reply().accept(ClassicAnswers.joinError(request.memberId(), ErrorCode.POLICY_VIOLATION));
        } else if (request.memberId().isEmpty()) {
            joinAsNew(call);
        } else {
            joinAgain(call);
        }
    }

    private boolean accepts(@Nullable ClassicMember known) {
        int max = around.settings().maxMembers();
        if (state instanceof Empty) {
            return members.pendingCount() < max;
        }
        if (state instanceof PreparingRebalance) {
            return (known != null && known.isJoining()) || members.size() < max || members.joiningCount() < max;
        }
        return known != null || members.size() < max;
    }

    private boolean supports(JoinGroupRequest request) {
        if (request.protocolType().isEmpty() || request.protocols().isEmpty()) {
            return false;
        }
        return state instanceof Empty
                || (request.protocolType().equals(protocolType)
                        && request.protocols().stream().anyMatch(offered -> members.isSupportedByAll(offered.name())));
    }

    /** One that joins again with no more than before always has room. */
    private boolean hasRoomFor(JoinGroupRequest request, @Nullable ClassicMember known) {
        ClassicMember member = known == null ? members.findInstance(request.groupInstanceId()) : known;
        long before = member == null ? -1 : ClassicMember.metadataBytes(member.protocols);
        return around.heap().hasRoomFor(ClassicMember.metadataBytes(request.protocols()) - before);
    }

    private void joinAsNew(JoinCall call) {
        String instanceId = call.request().groupInstanceId();
        String newId = (instanceId == null ? call.clientId() : instanceId) + "-"
                + around.randomIds().get();
        ClassicMember returning = members.findInstance(instanceId);
        if (returning != null) {
            replace(returning, newId, call);
        } else if (call.needsKnownMemberId()) {
            Timers.Timer expiry = around.timers().timer(() -> pendingGone(newId));
            expiry.set(around.clock().nanosIn(call.request().sessionTimeoutMs()));
            members.addPending(newId, expiry);
            call.reply().accept(ClassicAnswers.joinError(newId, ErrorCode.MEMBER_ID_REQUIRED));
        } else {
            add(newId, call);
        }
    }

    private void joinAgain(JoinCall call) {
        JoinGroupRequest request = call.request();
        String id = request.memberId();
        if (members.isPending(id) && request.groupInstanceId() == null) {
            members.removePending(id);
            add(id, call);
            return;
        }
        ErrorCode error = members.check(id, request.groupInstanceId());
        ClassicMember member = members.find(id);
        if (error != ErrorCode.NONE || member == null) {
            ErrorCode told = error == ErrorCode.NONE ? ErrorCode.UNKNOWN_MEMBER_ID : error;
            call.reply().accept(ClassicAnswers.joinError(id, told));
            return;
        }
        boolean unchanged = member.offersTheSame(request.protocols());
        boolean answeredAtOnce = state instanceof CompletingRebalance
                ? unchanged
                : state instanceof Stable && unchanged && !members.isLeader(member);
        if (answeredAtOnce) {
            call.reply().accept(joined(member));
        } else {
            members.update(member, () -> member.update(call));
            member.awaitJoin(call.reply());
            rebalance();
        }
    }

    private void add(String id, JoinCall call) {
        ClassicMember member = new ClassicMember(id, call);
        member.isNew = true;
        member.session = around.timers().timer(() -> sessionExpired(member));
        if (members.isEmpty()) {
            protocolType = call.request().protocolType();
        }
        if (state instanceof PreparingRebalance preparing) {
            preparing.memberAdded = true;
        }
        members.add(member);
        member.awaitJoin(call.reply());
        member.session.set(around.clock().nanosIn(NEW_MEMBER_MILLIS));
        rebalance();
    }

    /** A static member is back, under a new id: what it had is its own again, and whoever uses its old id is fenced. */
    private void replace(ClassicMember member, String newId, JoinCall call) {
        String oldId = member.id;
        String oldLeader = members.leader();
        List<JoinGroupRequestProtocol> oldProtocols = member.protocols;
        member.answerJoin(ClassicAnswers.joinError(oldId, ErrorCode.FENCED_INSTANCE_ID));
        member.answerSync(ClassicAnswers.syncError(ErrorCode.FENCED_INSTANCE_ID));
        members.update(member, () -> {
            members.rename(member, newId);
            member.update(call);
        });
        heard(member);
        member.awaitJoin(call.reply());
        if (!(state instanceof Stable)) {
            rebalance();
        } else if (protocol == null || !protocol.equals(members.selectProtocol())) {
            prepareRebalance();
        } else {
            images.store(encoded(members.assignments()), failure -> {
                if (members.find(newId) != member) {
                    return; // it came back once more, or is gone
                }
                if (failure != null) {
                    member.answerJoin(ClassicAnswers.joinError("", Journal.errorOf(failure)));
                    members.update(member, () -> {
                        members.rename(member, oldId);
                        member.protocols = oldProtocols;
                    });
                } else if (call.maySkipAssignment()) {
                    member.answerJoin(joined(member).skipAssignment(members.isLeader(member)));
                } else {
                    // An old client that found itself to be the leader would make an assignment that nobody waits for.
                    member.answerJoin(
                            joined(member).leader(String.valueOf(oldLeader)).members(List.of()));
                }
            });
        }
    }

    private JoinGroupResponse joined(ClassicMember member) {
        return new JoinGroupResponse()
                .generationId(generation)
                .protocolType(protocolType)
                .protocolName(protocol)
                .leader(String.valueOf(members.leader()))
                .memberId(member.id)
                .members(members.isLeader(member) ? members.told(protocol) : List.of());
    }

    // ---- rebalance ----

    private void rebalance() {
        if (state instanceof PreparingRebalance preparing) {
            if (!preparing.initial) {
                completeJoinIfAllAreThere();
            }
        } else {
            prepareRebalance();
        }
    }

    private void prepareRebalance() {
        if (state instanceof CompletingRebalance) {
            propagate(Map.of(), ErrorCode.REBALANCE_IN_PROGRESS);
        }
        PreparingRebalance preparing = new PreparingRebalance();
        preparing.initial = state instanceof Empty;
        state = preparing;
        long timeoutMillis = members.rebalanceTimeoutMillis();
        if (preparing.initial) {
            int delayMillis = around.settings().initialRebalanceDelayMillis();
            preparing.initialDelayLeftMillis = Math.max(timeoutMillis - delayMillis, 0);
            phase.set(around.clock().nanosIn(delayMillis));
        } else {
            phase.set(around.clock().nanosIn(timeoutMillis));
            completeJoinIfAllAreThere();
        }
    }

    private void completeJoinIfAllAreThere() {
        if (state instanceof PreparingRebalance && members.haveAllJoined()) {
            completeJoin();
        }
    }

    private void phaseExpired() {
        if (state instanceof PreparingRebalance preparing) {
            if (preparing.initial && preparing.memberAdded && preparing.initialDelayLeftMillis > 0) {
                long delayMillis =
                        Math.min(around.settings().initialRebalanceDelayMillis(), preparing.initialDelayLeftMillis);
                preparing.initialDelayLeftMillis -= delayMillis;
                preparing.memberAdded = false;
                phase.set(around.clock().nanosIn(delayMillis));
            } else {
                completeJoin();
            }
        } else if (state instanceof CompletingRebalance completing) {
            removeThoseWhoDidNotSync(completing.membersToSync);
        } else if (state instanceof Stable stable) {
            removeThoseWhoDidNotSync(stable.membersToSync());
        }
        images.changed();
    }

    private void removeThoseWhoDidNotSync(Set<String> ids) {
        for (String id : List.copyOf(ids)) {
            ClassicMember member = members.find(id);
            if (member != null) {
                removeSilently(member);
            }
        }
        prepareRebalance();
    }

    /** Goes on with those who have joined. Static members may be away until their session ends. */
    private void completeJoin() {
        for (ClassicMember member : members.listed()) {
            if (!member.isJoining() && member.instanceId == null) {
                removeSilently(member);
            }
        }
        if (members.isEmpty()) {
            becomeEmpty();
        } else if (!members.electLeader()) {
            phase.set(around.clock().nanosIn(members.rebalanceTimeoutMillis()));
        } else {
            beginGeneration();
        }
    }

    private void becomeEmpty() {
        phase.cancel();
        state = new Empty();
        sinceMillis = around.clock().stampMillis();
        generation++;
        protocol = null;
        rememberTopics(null);
        // If this is lost, the group comes back with members that soon are found to be silent.
        images.store(encoded(Map.of()), failure -> {});
    }

    private void beginGeneration() {
        generation++;
        protocol = members.selectProtocol();
        rememberTopics(subscribedTopics());
        sinceMillis = around.clock().stampMillis();
        state = new CompletingRebalance(members.ids());
        phase.set(around.clock().nanosIn(members.rebalanceTimeoutMillis()));
        for (ClassicMember member : members.all()) {
            member.isNew = false;
            heard(member);
            member.answerJoin(joined(member));
        }
    }

    private void rememberTopics(@Nullable SubscribedTopics topics) {
        around.heap()
                .add((topics == null ? 0 : topics.heapBytes()) - (subscribed == null ? 0 : subscribed.heapBytes()));
        subscribed = topics;
    }

    private @Nullable SubscribedTopics subscribedTopics() {
        return protocolType.equals(CONSUMER)
                ? SubscribedTopics.of(members.all().stream()
                        .map(member -> member.metadata(protocol))
                        .toList())
                : null;
    }

    // ---- sync ----

    public void sync(SyncGroupRequest request, Consumer<SyncGroupResponse> reply) {
        ErrorCode error = checkSync(request);
        ClassicMember member = members.find(request.memberId());
        if (error != ErrorCode.NONE || member == null) {
            reply.accept(ClassicAnswers.syncError(error));
        } else if (state instanceof CompletingRebalance completing) {
            hasSynced(completing.membersToSync, member);
            member.awaitSync(reply);
            if (members.isLeader(member) && !completing.storing) {
                store(completing, request.assignments());
            }
        } else if (state instanceof Stable stable) {
            hasSynced(stable.membersToSync(), member);
            reply.accept(synced(member));
        }
    }

    private ErrorCode checkSync(SyncGroupRequest request) {
        if (state instanceof Empty) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        ErrorCode error = members.check(request.memberId(), request.groupInstanceId());
        if (error != ErrorCode.NONE) {
            return error;
        }
        if (request.generationId() != generation) {
            return ErrorCode.ILLEGAL_GENERATION;
        }
        if ((request.protocolType() != null && !request.protocolType().equals(protocolType))
                || (request.protocolName() != null && !request.protocolName().equals(protocol))) {
            return ErrorCode.INCONSISTENT_GROUP_PROTOCOL;
        }
        return state instanceof PreparingRebalance ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
    }

    private void hasSynced(Set<String> membersToSync, ClassicMember member) {
        membersToSync.remove(member.id);
        if (membersToSync.isEmpty()) {
            phase.cancel();
        }
    }

    private void store(CompletingRebalance completing, List<SyncGroupRequestAssignment> assigned) {
        Map<String, byte[]> assignments = new HashMap<>();
        long bytes = 0;
        for (SyncGroupRequestAssignment one : assigned) {
            assignments.put(one.memberId(), one.assignment());
            bytes += 2L * one.assignment().length;
        }
        for (ClassicMember member : members.all()) {
            bytes -= 2L * member.assignment.length;
        }
        if (!around.heap().hasRoomFor(bytes)) {
            propagate(Map.of(), ErrorCode.POLICY_VIOLATION);
            prepareRebalance();
            return;
        }
        completing.storing = true;
        images.store(encoded(assignments), failure -> {
            if (state != completing) {
                return; // a member came or went meanwhile, and all are joining again
            }
            if (failure == null) {
                state = new Stable(completing.membersToSync);
                propagate(assignments, ErrorCode.NONE);
            } else {
                propagate(Map.of(), Journal.errorOf(failure));
                prepareRebalance();
            }
        });
    }

    /** Gives each its assignment, or none and the error, and answers who waits for it. */
    private void propagate(Map<String, byte[]> assignments, ErrorCode error) {
        for (ClassicMember member : members.all()) {
            members.assign(member, assignments.getOrDefault(member.id, NOTHING));
            SyncGroupResponse response = error == ErrorCode.NONE ? synced(member) : ClassicAnswers.syncError(error);
            if (member.answerSync(response)) {
                heard(member);
            }
        }
    }

    private SyncGroupResponse synced(ClassicMember member) {
        return new SyncGroupResponse()
                .protocolType(protocolType)
                .protocolName(protocol)
                .assignment(member.assignment);
    }

    private ByteBuffer encoded(Map<String, byte[]> assignments) {
        return new ClassicImage(sinceMillis, generation, protocolType, protocol, members.leader(), members.listed())
                .encoded(assignments);
    }

    // ---- signs of life ----

    public ErrorCode heartbeat(String memberId, @Nullable String instanceId, int memberGeneration) {
        ErrorCode error = members.check(memberId, instanceId);
        ClassicMember member = members.find(memberId);
        if (error != ErrorCode.NONE || member == null) {
            return error == ErrorCode.NONE ? ErrorCode.UNKNOWN_MEMBER_ID : error;
        }
        if (memberGeneration != generation) {
            return ErrorCode.ILLEGAL_GENERATION;
        }
        heard(member);
        return state instanceof PreparingRebalance ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
    }

    private void heard(ClassicMember member) {
        Timers.Timer session = member.session;
        if (session == null) {
            session = around.timers().timer(() -> sessionExpired(member));
            member.session = session;
        }
        session.set(around.clock().nanosIn(member.sessionTimeoutMillis));
    }

    /** Nothing is to be heard of one who waits for an answer, unless it is new: then nobody knows whether it is still there. */
    private void sessionExpired(ClassicMember member) {
        if (!member.isNew && (member.isJoining() || member.isSyncing())) {
            return;
        }
        member.answerJoin(ClassicAnswers.joinError("", ErrorCode.UNKNOWN_MEMBER_ID));
        removeSilently(member);
        membersHaveGone();
        images.changed();
    }

    private void pendingGone(String id) {
        members.removePending(id);
        completeJoinIfAllAreThere();
        images.changed();
    }

    private void removeSilently(ClassicMember member) {
        members.remove(member);
        if (state instanceof CompletingRebalance completing) {
            completing.membersToSync.remove(member.id);
        } else if (state instanceof Stable stable) {
            stable.membersToSync().remove(member.id);
        }
        member.answerSync(ClassicAnswers.syncError(ErrorCode.UNKNOWN_MEMBER_ID));
    }

    // ---- leave ----

    /** Removes it, if it may speak so; {@link #membersHaveGone} follows, once for all that leave together. */
    public ErrorCode leave(String memberId, @Nullable String instanceId) {
        if (members.isPending(memberId)) {
            members.removePending(memberId);
            return ErrorCode.NONE;
        }
        ClassicMember member = memberId.isEmpty() ? members.findInstance(instanceId) : members.find(memberId);
        ErrorCode error = memberId.isEmpty() ? ErrorCode.NONE : members.check(memberId, instanceId);
        if (error != ErrorCode.NONE || member == null) {
            return error == ErrorCode.NONE ? ErrorCode.UNKNOWN_MEMBER_ID : error;
        }
        member.answerJoin(ClassicAnswers.joinError("", ErrorCode.UNKNOWN_MEMBER_ID));
        removeSilently(member);
        return ErrorCode.NONE;
    }

    public void membersHaveGone() {
        if (state instanceof PreparingRebalance) {
            completeJoinIfAllAreThere();
        } else if (!(state instanceof Empty)) {
            prepareRebalance();
        }
    }

    // ---- as all groups ----

    @Override
    public String type() {
        return "classic";
    }

    @Override
    public String stateName() {
        return state.kafkaName();
    }

    @Override
    public String protocolType() {
        return protocolType;
    }

    @Override
    public boolean isEmpty() {
        return state instanceof Empty;
    }

    @Override
    public boolean isIdle() {
        return isEmpty() && members.pendingCount() == 0;
    }

    @Override
    public long emptySinceMillis(long latestMillis) {
        sinceMillis = Math.min(sinceMillis, latestMillis);
        return isEmpty() && !protocolType.isEmpty() ? sinceMillis : -1;
    }

    @Override
    public boolean offsetsMayExpire() {
        return isEmpty() || (state instanceof Stable && subscribed != null);
    }

    @Override
    public boolean isSubscribedTo(String topicName) {
        SubscribedTopics topics = subscribed;
        return !isEmpty() && (topics == null ? protocolType.equals(CONSUMER) : topics.contains(topicName));
    }

    @Override
    public boolean knowsItsTopics() {
        return isEmpty() || protocolType.equals(CONSUMER);
    }

    @Override
    public ErrorCode checkCommit(String memberId, @Nullable String instanceId, int memberGeneration) {
        if (memberGeneration < 0 && isEmpty()) {
            return ErrorCode.NONE;
        }
        if (memberGeneration < 0 && memberId.isEmpty() && instanceId == null) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        ErrorCode error = members.check(memberId, instanceId);
        ClassicMember member = members.find(memberId);
        if (error != ErrorCode.NONE || member == null) {
            return error == ErrorCode.NONE ? ErrorCode.UNKNOWN_MEMBER_ID : error;
        }
        if (memberGeneration != generation) {
            return ErrorCode.ILLEGAL_GENERATION;
        }
        if (state instanceof CompletingRebalance) {
            return ErrorCode.REBALANCE_IN_PROGRESS;
        }
        heard(member);
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

    @Override
    public void describe(DescribedGroup place) {
        boolean stable = state instanceof Stable;
        place.groupState(stateName())
                .protocolType(protocolType)
                .protocolData(stable && protocol != null ? protocol : "")
                .members(members.described(protocol, stable));
    }

    @Override
    public void close() {
        end(ErrorCode.COORDINATOR_NOT_AVAILABLE);
    }

    private void end(ErrorCode toldToThoseWhoWait) {
        phase.cancel();
        rememberTopics(null);
        for (ClassicMember member : members.listed()) {
            member.answerJoin(ClassicAnswers.joinError(member.id, toldToThoseWhoWait));
            member.answerSync(ClassicAnswers.syncError(toldToThoseWhoWait));
            members.remove(member);
        }
    }
}
