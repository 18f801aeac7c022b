package io.rivulet.broker.group.consumer;

import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.classic.ClassicHandover;
import io.rivulet.broker.group.consumer.ConsumerMember.State;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group of the consumer protocol.
 *
 * <pre>
 * group epoch     goes up when what members may have changes: one joins, leaves, is fenced, subscribes anew; topics come, grow or go
 * target epoch    follows at once: the assignor has shared the queues anew
 * member's epoch  follows when the member has given up what it must ({@link Reconciliation})
 *
 * state           Empty: no members. Assigning: target epoch below group epoch. Reconciling: some member is not where the target
 *                 wants it. Stable: all are.
 * </pre>
 *
 * <p>Who is in it {@link ConsumerMembers} know. What has changed goes into the log by way of {@link ConsumerJournal}; an answer waits there until what it tells is durable.
 *
 * <p>Owned by: the thread that owns the groups.
 */
public final class ConsumerGroup implements Group {
    public static final String TYPE = "consumer";

    public static final String PROTOCOL_TYPE = "consumer";
    private static final long NOT_EMPTY = -1;

    private final String groupId;
    private final ConsumerSurroundings surroundings;
    private final ImageStore images;
    private final ConsumerJournal journal;
    private final GroupTopics topics;
    private final ConsumerMembers members;
    private final OwnedQueues owned = new OwnedQueues();
    private int groupEpoch;
    private int targetEpoch;
    /** Of who may have what, as of the group epoch. */
    private long eligibility;

    private long emptySinceMillis = NOT_EMPTY;
    /** Members or topics have changed since the hash was looked at. */
    private boolean mayNeedSharing;

    private boolean sharesLong;
    private boolean waitsForTurn;
    private boolean closed;

    /** @param images stores items of {@link ConsumerEntryLayout} */
    public ConsumerGroup(String groupId, ConsumerSurroundings surroundings, ImageStore images) {
        this.groupId = groupId;
        this.surroundings = surroundings;
        this.images = images;
        this.members = new ConsumerMembers(groupId, surroundings.settings());
        this.journal = new ConsumerJournal(this, images);
        this.topics = new GroupTopics(surroundings, this::regexesMatched);
    }

    // ---- heartbeats ----

    /**
     * Answers a member that joins, lives on or leaves.
     *
     * @throws RefusedException when the member is told an error; then nothing has changed
     */
    public ConsumerGroupHeartbeatResponse heartbeat(
            ConsumerGroupHeartbeatRequest request, String clientId, String clientHost) {
        return switch (request.memberEpoch()) {
            case HeartbeatChecks.LEAVE -> leave(request);
            case HeartbeatChecks.LEAVE_FOR_A_WHILE -> leaveForAWhile(request);
            default -> stay(request, clientId, clientHost);
        };
    }

    private ConsumerGroupHeartbeatResponse stay(
            ConsumerGroupHeartbeatRequest request, String clientId, String clientHost) {
        boolean joins = request.memberEpoch() == HeartbeatChecks.JOIN;
        QueueSet reported = reported(request);
        topics.requireKnown();
        topics.requireRoomFor(request.subscribedTopicRegex());
        topics.requireRoomFor(request.subscribedTopicNames());
        ConsumerMember member = joins ? joining(request) : members.present(request.memberId(), request.instanceId());
        if (!joins) {
            checkEpoch(member, request.memberEpoch(), reported);
        }
        QueueSet before = member.assigned;
        update(member, request, clientId, clientHost);
        refresh();
        reconcile(member, reported);
        restartSession(member);
        boolean full = request.rebalanceTimeoutMs() != -1
                && (request.subscribedTopicNames() != null || request.subscribedTopicRegex() != null)
                && reported != null;
        return new ConsumerGroupHeartbeatResponse()
                .memberId(member.id)
                .memberEpoch(member.epoch)
                .heartbeatIntervalMs(surroundings.settings().heartbeatIntervalMillis())
                .assignment(joins || full || !member.assigned.equals(before) ? assignment(member.assigned) : null);
    }

    /** What the member says it has; null when it says nothing. */
    private @Nullable QueueSet reported(ConsumerGroupHeartbeatRequest request) {
        if (request.topicPartitions() == null) {
            return null;
        }
        QueueSet.Builder queues = new QueueSet.Builder();
        for (ConsumerGroupHeartbeatRequest.TopicPartitions partitions : request.topicPartitions()) {
            Topic topic = surroundings.topics().find(partitions.topicId());
            for (int partition : partitions.partitions()) {
                int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
                if (queueId != Topic.NO_QUEUE) {
                    queues.add(queueId);
                }
            }
        }
        return queues.build();
    }

    // ---- who it is ----

    private ConsumerMember joining(ConsumerGroupHeartbeatRequest request) {
        String memberId = request.memberId().isEmpty() ? newMemberId() : request.memberId();
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
        return replace(before, memberId);
    }

    String newMemberId() {
        return surroundings.around().randomIds().get();
    }

    /** A static member is back under another id and takes over what it had. */
    ConsumerMember replace(ConsumerMember before, String memberId) {
        ConsumerMember member = before.reborn(memberId);
        forget(before);
        put(member);
        dirt().member(memberId, Dirt.MEMBER | Dirt.CURRENT | Dirt.TARGET);
        return member;
    }

    /** One epoch behind is all right if what the member has fits: then it was the answer that got lost. */
    private static void checkEpoch(ConsumerMember member, int epoch, @Nullable QueueSet reported) {
        boolean answerWasLost = epoch < member.epoch
                && epoch == member.previousEpoch
                && reported != null
                && member.assigned.containsAll(reported);
        if (epoch != member.epoch && !answerWasLost) {
            throw new RefusedException(
                    ErrorCode.FENCED_MEMBER_EPOCH,
                    "The consumer group member has a " + (epoch > member.epoch ? "greater" : "smaller")
                            + " member epoch (" + epoch + ") than the one known by the group coordinator ("
                            + member.epoch + "). The member must abandon all its partitions and rejoin.");
        }
    }

    // ---- what it wants ----

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
        updated(member, update);
    }

    /** A member that may be new has changed as the update says. */
    void updated(ConsumerMember member, MemberUpdate update) {
        if (members.find(member.id) == null) {
            dirt().member(member.id, Dirt.MEMBER | Dirt.CURRENT | Dirt.TARGET);
            mayNeedSharing = true;
        }
        members.put(member);
        if (update.isChange()) {
            dirt().member(member.id, Dirt.MEMBER);
        }
        topics.subscribed(member);
        mayNeedSharing |= update.isChange();
    }

    // ---- what it gets ----

    /**
     * Follows topics and subscriptions: when what members may have has changed, the queues are shared anew. Where that takes long it
     * happens in the group's turn; until then members keep what they have.
     */
    void refresh() {
        boolean needed = mayNeedSharing || topics.areDue();
        if (needed && sharesLong && !members.isEmpty() && !surroundings.turns().isFree()) {
            awaitTurn();
        } else {
            refreshNow();
        }
        topics.matchRegexes();
    }

    private void awaitTurn() {
        if (!waitsForTurn) {
            waitsForTurn = true;
            surroundings.turns().await(this::takeTurn);
        }
    }

    private void takeTurn() {
        waitsForTurn = false;
        if (!closed) {
            refreshNow();
            topics.matchRegexes();
            tellOfChanges();
        }
    }

    private void refreshNow() {
        long began = surroundings.turns().begin();
        mayNeedSharing |= topics.refresh(members.all(), owned);
        boolean shared = share();
        boolean tookLong = surroundings.turns().end(began);
        // What was quick because there was nothing to share says nothing about the next time.
        sharesLong = tookLong || (sharesLong && !shared);
    }

    private void regexesMatched() {
        refresh();
        tellOfChanges();
    }

    /** Answers whether there was something to share. */
    private boolean share() {
        if (!mayNeedSharing || !topics.areKnown()) {
            return false;
        }
        mayNeedSharing = false;
        long now = members.eligibility();
        if (now == eligibility && groupEpoch != 0) {
            return false;
        }
        eligibility = now;
        groupEpoch++;
        List<Assignor.Share> shares = new ArrayList<>(members.size());
        for (ConsumerMember member : members.all()) {
            // Until a regular expression is looked up, the member keeps what it has, and gets nothing new.
            QueueSet eligible = member.allowed == null ? member.target : member.allowed;
            shares.add(new Assignor.Share(member, eligible, member.target));
        }
        members.preferredAssignor().assign(shares, topics.queuesByTopic());
        for (Assignor.Share share : shares) {
            if (!share.queues.equals(share.member.target)) {
                share.member.target = share.queues;
                dirt().member(share.member.id, Dirt.TARGET);
            }
        }
        targetEpoch = groupEpoch;
        emptySinceMillis = members.isEmpty() ? surroundings.around().clock().stampMillis() : NOT_EMPTY;
        dirt().group();
        return true;
    }

    void reconcile(ConsumerMember member, @Nullable QueueSet reported) {
        if (!Reconciliation.step(member, targetEpoch, reported, owned)) {
            return;
        }
        dirt().member(member.id, Dirt.CURRENT);
        if (member.state == State.UNREVOKED_PARTITIONS) {
            restartRevocation(member);
        } else {
            member.cancelRevocation();
        }
    }

    void restartRevocation(ConsumerMember member) {
        Timers.Timer timer = member.revocation;
        if (timer == null) {
            timer = surroundings.around().timers().timer(() -> fence(member));
            member.revocation = timer;
        }
        timer.set(surroundings.around().clock().nanosIn(member.rebalanceTimeoutMillis));
    }

    /** Whether some of what the member waits for has become free. */
    boolean canGetMore(ConsumerMember member) {
        QueueSet missing = member.target.minus(member.assigned);
        return !missing.minus(owned.among(missing)).isEmpty();
    }

    private ConsumerGroupHeartbeatResponse.Assignment assignment(QueueSet queues) {
        return new ConsumerGroupHeartbeatResponse.Assignment()
                .topicPartitions(topics.told(
                        queues,
                        (topic, partitions) -> new ConsumerGroupHeartbeatResponse.TopicPartitions()
                                .topicId(topic.id())
                                .partitions(partitions)));
    }

    // ---- how it ends ----

    private ConsumerGroupHeartbeatResponse leave(ConsumerGroupHeartbeatRequest request) {
        remove(members.present(request.memberId(), request.instanceId()));
        return farewell(request);
    }

    private ConsumerGroupHeartbeatResponse leaveForAWhile(ConsumerGroupHeartbeatRequest request) {
        ConsumerMember member = members.present(request.memberId(), request.instanceId());
        owned.remove(member.revoking);
        member.goAway();
        dirt().member(member.id, Dirt.CURRENT);
        return farewell(request);
    }

    private static ConsumerGroupHeartbeatResponse farewell(ConsumerGroupHeartbeatRequest request) {
        return new ConsumerGroupHeartbeatResponse().memberId(request.memberId()).memberEpoch(request.memberEpoch());
    }

    void remove(ConsumerMember member) {
        owned.remove(member.owned());
        forget(member);
        refresh();
    }

    private void fence(ConsumerMember member) {
        if (members.find(member.id) == member) {
            remove(member);
            tellOfChanges();
        }
    }

    /** The one with the timer that every heartbeat puts off. */
    void restartSession(ConsumerMember member) {
        Timers.Timer timer = member.session;
        if (timer == null) {
            timer = surroundings.around().timers().timer(() -> fence(member));
            member.session = timer;
        }
        int millis = member.classic == null
                ? surroundings.settings().sessionTimeoutMillis()
                : member.classic.sessionTimeoutMillis();
        timer.set(surroundings.around().clock().nanosIn(millis));
    }

    private void put(ConsumerMember member) {
        mayNeedSharing = true;
        members.put(member);
    }

    private void forget(ConsumerMember member) {
        mayNeedSharing = true;
        member.cancelTimers();
        members.remove(member);
        dirt().member(member.id, 0);
    }

    @Override
    public void close() {
        closed = true;
        members.all().forEach(ConsumerMember::cancelTimers);
        topics.close();
    }

    // ---- the log ----

    private Dirt dirt() {
        return journal.dirt();
    }

    private void tellOfChanges() {
        journal.write();
        images.changed();
    }

    /** For changes that nobody waits for. */
    public void writeChanges() {
        journal.write();
    }

    /** Whether all that the group is now is in the log. */
    public boolean isSettled() {
        return journal.isQuiet();
    }

    /** Calls back when all that the group is now is durable: right now, or later, or with the reason why it is not. */
    public void whenDurable(Consumer<@Nullable Throwable> action) {
        journal.whenDurable(action);
    }

    /** A group as the log knows it, with its members just heard of. */
    public static ConsumerGroup of(
            String groupId, ConsumerImage image, ConsumerSurroundings surroundings, ImageStore images) {
        ConsumerGroup group = new ConsumerGroup(groupId, surroundings, images);
        image.restore(group);
        group.topics.afterRestart(group.members.all());
        for (ConsumerMember member : group.members.all()) {
            group.restartSession(member);
            if (member.state == State.UNREVOKED_PARTITIONS) {
                group.restartRevocation(member);
            }
        }
        return group;
    }

    /** A group that was one of the classic protocol, with all of its members. */
    public static ConsumerGroup of(
            String groupId, ClassicHandover handed, ConsumerSurroundings surroundings, ImageStore images) {
        ConsumerGroup group = new ConsumerGroup(groupId, surroundings, images);
        group.classicDoor().takeOver(handed);
        return group;
    }

    /** A member that comes with what it has; of two that claim the same, the first has it. */
    void takeOver(ConsumerMember member, QueueSet claimed) {
        QueueSet had = claimed.minus(owned.among(claimed));
        member.assigned = had;
        member.target = had;
        restore(member);
        dirt().member(member.id, Dirt.MEMBER | Dirt.CURRENT | Dirt.TARGET);
        topics.subscribed(member);
        restartSession(member);
    }

    /** Where members of the classic protocol go in and out. */
    public ClassicDoor classicDoor() {
        return new ClassicDoor(this);
    }

    void restoreEpochs(int group, int target, long eligibilityHash, long emptySince) {
        groupEpoch = group;
        targetEpoch = target;
        eligibility = eligibilityHash;
        emptySinceMillis = emptySince;
    }

    void restore(ConsumerMember member) {
        put(member);
        owned.add(member.owned());
    }

    // ---- as all groups ----

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public String protocolType() {
        return PROTOCOL_TYPE;
    }

    @Override
    public String stateName() {
        if (members.isEmpty()) {
            return "Empty";
        }
        if (groupEpoch > targetEpoch) {
            return "Assigning";
        }
        for (ConsumerMember member : members.all()) {
            if (member.state != State.STABLE || member.epoch != targetEpoch) {
                return "Reconciling";
            }
        }
        return "Stable";
    }

    @Override
    public boolean isEmpty() {
        return members.isEmpty();
    }

    @Override
    public boolean isIdle() {
        return members.isEmpty() && journal.isQuiet();
    }

    @Override
    public long emptySinceMillis(long latestMillis) {
        emptySinceMillis = Math.min(emptySinceMillis, latestMillis);
        return emptySinceMillis();
    }

    long emptySinceMillis() {
        return members.isEmpty() ? emptySinceMillis : NOT_EMPTY;
    }

    @Override
    public boolean offsetsMayExpire() {
        return topics.areKnown();
    }

    @Override
    public boolean isSubscribedTo(String topicName) {
        return !members.isEmpty() && topics.isSubscribed(topicName);
    }

    @Override
    public boolean knowsItsTopics() {
        return topics.areKnown();
    }

    @Override
    public ErrorCode checkCommit(String memberId, @Nullable String instanceId, int memberEpoch) {
        return memberEpoch < 0 && members.isEmpty() ? ErrorCode.NONE : members.check(memberId, memberEpoch);
    }

    @Override
    public ErrorCode checkFetch(@Nullable String memberId, int memberEpoch) {
        return memberId == null && memberEpoch < 0 ? ErrorCode.NONE : members.check(memberId, memberEpoch);
    }

    @Override
    public int memberCount() {
        return members.size();
    }

    /** To DescribeGroups it is not there; ConsumerGroupDescribe tells of it ({@link ConsumerDescription}). */
    @Override
    public void describe(DescribedGroup place) {
        place.groupState("Dead");
    }

    // ---- for this room ----

    String groupId() {
        return groupId;
    }

    int groupEpoch() {
        return groupEpoch;
    }

    int targetEpoch() {
        return targetEpoch;
    }

    long eligibilityHash() {
        return eligibility;
    }

    ConsumerMembers members() {
        return members;
    }

    GroupTopics topics() {
        return topics;
    }

    ConsumerSurroundings surroundings() {
        return surroundings;
    }
}
