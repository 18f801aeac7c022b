package io.rivulet.broker.group.consumer;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.ChangedParts;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.base.ItemJournal;
import io.rivulet.broker.group.base.MemberLog;
import io.rivulet.broker.group.base.OffsetCommitter;
import io.rivulet.broker.group.classic.ClassicHandover;
import io.rivulet.broker.group.consumer.ConsumerMember.State;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group of the consumer protocol.
 *
 * <pre>
 * group epoch     rises when members, subscriptions or topics change; a new group has 1
 * target epoch    follows when the assignor has assigned the queues anew, at the next heartbeat of a member
 * member epoch    follows when the member has revoked its excess queues ({@link Reconciliation})
 *
 * state           Empty: no members. Assigning: target epoch below group epoch. Reconciling: some member has not
 *                 reached its target. Stable: all have.
 * </pre>
 *
 * <p>{@link ConsumerHeartbeat} and {@link ClassicMemberAdapter} serve its members. {@link TargetAssignment} assigns
 * queues to them. {@link ItemJournal} writes changes into the log; a response waits there until its content is
 * durable.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ConsumerGroup implements Group {
    public static final String TYPE = "consumer";

    public static final String PROTOCOL_TYPE = "consumer";

    private final String groupId;
    private final ConsumerContext context;
    private final ImageStore images;
    private final ItemJournal journal;
    private final GroupTopics topics;
    private final ConsumerMembers members;
    private final OwnedQueues owned = new OwnedQueues();
    private final TargetAssignment target;
    private boolean closed;

    /** @param images stores items of {@link ConsumerEntryLayout} */
    public ConsumerGroup(String groupId, ConsumerContext context, ImageStore images) {
        this.groupId = groupId;
        this.context = context;
        this.images = images;
        this.members = new ConsumerMembers(groupId, context.settings());
        this.journal = new ItemJournal(images, changes -> ConsumerEntryLayout.items(this, changes));
        this.topics = new GroupTopics(context, this::regexesMatched);
        this.target = new TargetAssignment(groupId, context, topics, members, owned, journal);
    }

    // ---- heartbeats ----

    /**
     * Serves a member that joins, stays or leaves.
     *
     * @throws RefusedException when the member gets an error; then nothing has changed
     */
    public ConsumerGroupHeartbeatResponse heartbeat(
            ConsumerGroupHeartbeatRequest request, String clientId, String clientHost, Access access) {
        return new ConsumerHeartbeat(this).answer(request, clientId, clientHost, access);
    }

    // ---- members ----

    String newMemberId() {
        return context.group().randomIds().get();
    }

    /** A static member is back under a new id and takes over its old state. A member that had this id is removed. */
    ConsumerMember replace(ConsumerMember before, String memberId) {
        ConsumerMember other = members.find(memberId);
        if (other != null) {
            remove(other);
        }
        ConsumerMember member = before.withId(memberId);
        forget(before);
        put(member);
        changes().member(memberId, ChangedParts.MEMBER | ChangedParts.CURRENT | ChangedParts.TARGET);
        return member;
    }

    /** The update has changed the member, which may be new. */
    void updated(ConsumerMember member, MemberUpdate update) {
        if (members.find(member.id) == null) {
            changes().member(member.id, ChangedParts.MEMBER | ChangedParts.CURRENT | ChangedParts.TARGET);
            target.membersChanged();
        }
        members.put(member);
        if (update.isChange()) {
            changes().member(member.id, ChangedParts.MEMBER);
            target.membersChanged();
        }
        topics.subscribed(member);
    }

    // ---- assignment ----

    /** Follows topics and subscriptions: members get a new target assignment if they need one. */
    void refresh() {
        target.refresh(this::takeTurn);
        topics.matchRegexes();
    }

    private void takeTurn() {
        if (!closed) {
            target.refreshInTurn();
            topics.matchRegexes();
            publishChanges();
        }
    }

    private void regexesMatched() {
        refresh();
        publishChanges();
    }

    void reconcile(ConsumerMember member, @Nullable QueueSet reported) {
        if (!Reconciliation.step(member, target.targetEpoch(), reported, owned)) {
            return;
        }
        changes().member(member.id, ChangedParts.CURRENT);
        if (member.state == State.UNREVOKED_PARTITIONS) {
            restartRevocation(member);
        } else {
            member.cancelRevocation();
        }
    }

    void restartRevocation(ConsumerMember member) {
        Timers.Timer timer = member.revocation;
        if (timer == null) {
            timer = context.group().timers().timer(() -> fence(member, "it keeps partitions that it must give up"));
            member.revocation = timer;
        }
        timer.set(context.group().clock().nanosIn(member.rebalanceTimeoutMillis));
    }

    /** Whether a queue that the member waits for has become free. */
    boolean canGetMore(ConsumerMember member) {
        QueueSet missing = member.target.minus(member.assigned);
        return !missing.minus(owned.among(missing)).isEmpty();
    }

    // ---- leave ----

    /** A static member leaves for a while, and keeps its queues. */
    void leaveForAWhile(ConsumerMember member) {
        owned.remove(member.revoking);
        member.leaveForAWhile();
        changes().member(member.id, ChangedParts.CURRENT);
    }

    void remove(ConsumerMember member) {
        owned.remove(member.owned());
        forget(member);
        target.memberRemoved(member);
    }

    private void fence(ConsumerMember member, String why) {
        if (members.find(member.id) == member) {
            MemberLog.removed(groupId, member.id, member.clientHost, why);
            remove(member);
            publishChanges();
        }
    }

    /** Postpones the end of the member's session. */
    void restartSession(ConsumerMember member) {
        Timers.Timer timer = member.session;
        if (timer == null) {
            timer = context.group()
                    .timers()
                    .timer(() -> fence(member, "no heartbeat for " + sessionMillis(member) + " ms"));
            member.session = timer;
        }
        timer.set(context.group().clock().nanosIn(sessionMillis(member)));
    }

    private int sessionMillis(ConsumerMember member) {
        return member.classic == null
                ? context.timeouts().sessionTimeoutMillis(groupId)
                : member.classic.sessionTimeoutMillis();
    }

    private void put(ConsumerMember member) {
        target.membersChanged();
        members.put(member);
    }

    private void forget(ConsumerMember member) {
        target.membersChanged();
        member.cancelTimers();
        members.remove(member);
        changes().member(member.id, 0);
    }

    @Override
    public void close() {
        closed = true;
        members.all().forEach(ConsumerMember::cancelTimers);
        topics.close();
    }

    // ---- the log ----

    private ChangedParts changes() {
        return journal.changes();
    }

    private void publishChanges() {
        journal.write();
        images.changed();
    }

    /** Writes changes that no response waits for. */
    public void writeChanges() {
        journal.write();
    }

    /** Whether all changes are durable. */
    public boolean isSettled() {
        return journal.isQuiet();
    }

    /** Calls back when all changes are durable, now or later, or with the failure. */
    public void whenDurable(Consumer<@Nullable Throwable> action) {
        journal.whenDurable(action);
    }

    /** The group of an image. The sessions of its members start anew. */
    public static ConsumerGroup of(String groupId, ConsumerImage image, ConsumerContext context, ImageStore images) {
        ConsumerGroup group = new ConsumerGroup(groupId, context, images);
        image.restore(group);
        group.topics.afterRestart(group.members.all(), group.owned);
        for (ConsumerMember member : group.members.all()) {
            group.restartSession(member);
            if (member.state == State.UNREVOKED_PARTITIONS) {
                group.restartRevocation(member);
            }
        }
        return group;
    }

    /** A group that takes over all members of a classic group. */
    public static ConsumerGroup of(String groupId, ClassicHandover handed, ConsumerContext context, ImageStore images) {
        ConsumerGroup group = new ConsumerGroup(groupId, context, images);
        group.classicMembers().takeOver(handed);
        return group;
    }

    /** Adds a member with the queues that it claims. If two claim the same queue, the first gets it. */
    void takeOver(ConsumerMember member, QueueSet claimed) {
        QueueSet had = claimed.minus(owned.among(claimed));
        member.assigned = had;
        member.since = AssignmentEpochs.of(had, member.epoch);
        member.target = had;
        restore(member);
        changes().member(member.id, ChangedParts.MEMBER | ChangedParts.CURRENT | ChangedParts.TARGET);
        topics.subscribed(member);
        restartSession(member);
    }

    /** Serves the members of the classic protocol. */
    public ClassicMemberAdapter classicMembers() {
        return new ClassicMemberAdapter(this);
    }

    void restore(ConsumerMember member) {
        put(member);
        owned.add(member.owned());
    }

    // ---- for all kinds of groups ----

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
        if (target.groupEpoch() > target.targetEpoch()) {
            return "Assigning";
        }
        return isStable() ? "Stable" : "Reconciling";
    }

    /** Whether all members have reached the newest assignment. */
    public boolean isStable() {
        for (ConsumerMember member : members.all()) {
            if (member.state != State.STABLE || member.epoch != target.groupEpoch()) {
                return false;
            }
        }
        return true;
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
        return target.emptySinceMillis(latestMillis);
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
    public ErrorCode checkCommit(OffsetCommitter committer) {
        return committer.generation() < 0 && members.isEmpty() ? ErrorCode.NONE : members.checkCommit(committer);
    }

    @Override
    public ErrorCode checkFetch(@Nullable String memberId, int memberEpoch) {
        return memberId == null && memberEpoch < 0 ? ErrorCode.NONE : members.checkFetch(memberId, memberEpoch);
    }

    @Override
    public int memberCount() {
        return members.size();
    }

    // ---- for this package ----

    String groupId() {
        return groupId;
    }

    TargetAssignment target() {
        return target;
    }

    ConsumerMembers members() {
        return members;
    }

    GroupTopics topics() {
        return topics;
    }

    ConsumerContext context() {
        return context;
    }
}
