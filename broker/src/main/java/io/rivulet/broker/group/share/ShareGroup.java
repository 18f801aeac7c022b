package io.rivulet.broker.group.share;

import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.base.MemberLog;
import io.rivulet.broker.group.base.MemberTexts;
import io.rivulet.broker.group.base.OffsetCommitter;
import io.rivulet.broker.group.consumer.QueueSet;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import java.util.Collection;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A share group. {@link ShareTarget} assigns queues to its members; nobody waits for a member to give queues up.
 *
 * <pre>
 * group epoch     rises when members, subscriptions or topics change; a new group has 1
 * target epoch    follows when the queues have been assigned anew
 * member epoch    follows with the next heartbeat of the member
 * state           Empty: no members. Stable: it has some.
 * </pre>
 *
 * <p>A group stays when its last member has left, until a client deletes it.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ShareGroup implements Group {
    public static final String TYPE = "share";

    private final String groupId;
    private final ShareContext context;
    private final ImageStore images;
    private final ShareJournal journal;
    private final ShareTopics topics;
    private final ShareTarget target;
    /** In the order of their ids. */
    private final TreeMap<String, ShareMember> members = new TreeMap<>();

    private long countedBytes;
    private boolean closed;
    /** Whether it is one of the groups that there are, and has members. */
    private boolean counted;

    private boolean countedWithMembers;

    /** @param image what the log has of the group; null for a new one */
    public ShareGroup(String groupId, ShareContext context, ImageStore images, @Nullable ShareImage image) {
        this.groupId = groupId;
        this.context = context;
        this.images = images;
        this.topics = new ShareTopics(context);
        this.journal = new ShareJournal(images, this::groupEpoch, image);
        this.target = new ShareTarget(
                groupId,
                context,
                topics,
                members.values(),
                journal,
                image == null ? ShareTarget.FIRST_EPOCH : image.epoch());
    }

    // ---- heartbeats ----

    /**
     * Serves a member that joins, stays or leaves.
     *
     * @throws RefusedException when the member gets an error; then nothing has changed
     */
    public ShareGroupHeartbeatResponse heartbeat(
            ShareGroupHeartbeatRequest request, String clientId, String clientHost) {
        return request.memberEpoch() == ShareChecks.LEAVE ? leave(request) : stay(request, clientId, clientHost);
    }

    private ShareGroupHeartbeatResponse stay(ShareGroupHeartbeatRequest request, String clientId, String clientHost) {
        boolean joins = request.memberEpoch() == ShareChecks.JOIN;
        requireRoomFor(request.memberId());
        topics.requireRoomFor(request.subscribedTopicNames());
        ShareMember known = members.get(request.memberId());
        if (known == null && !joins) {
            throw unknown(request.memberId());
        }
        ShareMember member = known == null ? new ShareMember(request.memberId()) : known;
        if (!joins) {
            checkEpoch(member, request.memberEpoch());
        }
        new MemberTexts()
                .changed(known == null ? "" : member.id, request.memberId())
                .changed(member.clientId, clientId)
                .changed(member.rackId, request.rackId())
                .changed(member.subscription.names(), request.subscribedTopicNames())
                .requireRoom(context.group().heap());
        QueueSet before = member.assigned;
        count(-member.heapBytes(), known != null);
        members.put(member.id, member);
        countMembers(!members.isEmpty());
        boolean changed = member.update(clientId, clientHost, request.rackId(), request.subscribedTopicNames());
        count(member.heapBytes(), true);
        if (changed) {
            topics.subscribed(member);
            target.subscriptionChanged();
        }
        int epochBefore = target.groupEpoch();
        target.refresh(this::takeTurn);
        reconcile(member, changed || target.groupEpoch() != epochBefore);
        restartSession(member);
        boolean isFull = joins || request.subscribedTopicNames() != null;
        return new ShareGroupHeartbeatResponse()
                .memberId(member.id)
                .memberEpoch(member.epoch)
                .heartbeatIntervalMs(context.configs().of(groupId).heartbeatIntervalMillis())
                .assignment(isFull || !member.assigned.equals(before) ? assignment(member.assigned) : null);
    }

    private void requireRoomFor(String memberId) {
        int most = context.settings().maxSize();
        if (members.size() >= most && !members.containsKey(memberId)) {
            throw new RefusedException(
                    ErrorCode.GROUP_MAX_SIZE_REACHED,
                    "The share group has reached its maximum capacity of " + most + " members.");
        }
    }

    /** The previous epoch is accepted: then the response was lost. */
    private static void checkEpoch(ShareMember member, int epoch) {
        if (epoch > member.epoch || (epoch < member.epoch && epoch != member.previousEpoch)) {
            throw new RefusedException(
                    ErrorCode.FENCED_MEMBER_EPOCH,
                    "The share group member has a " + (epoch > member.epoch ? "greater" : "smaller")
                            + " member epoch (" + epoch + ") than the one known by the group coordinator ("
                            + member.epoch + "). The member must abandon all its partitions and rejoin.");
        }
    }

    private RefusedException unknown(String memberId) {
        return new RefusedException(
                ErrorCode.UNKNOWN_MEMBER_ID, "Member " + memberId + " is not a member of group " + groupId + ".");
    }

    /** @param subscriptionChanged whether its names or their topics have changed: then some queues may go at once */
    private void reconcile(ShareMember member, boolean subscriptionChanged) {
        if (member.epoch != target.targetEpoch()) {
            member.moveTo(target.targetEpoch());
            member.assigned = member.target;
        }
        if (subscriptionChanged) {
            member.assigned = member.assigned.intersect(member.allowed);
        }
    }

    private ShareGroupHeartbeatResponse.Assignment assignment(QueueSet queues) {
        return new ShareGroupHeartbeatResponse.Assignment()
                .topicPartitions(topics.byTopic(
                        queues,
                        (topic, partitions) -> new ShareGroupHeartbeatResponse.TopicPartitions()
                                .topicId(topic.id())
                                .partitions(partitions)));
    }

    private void takeTurn() {
        if (!closed && !members.isEmpty()) {
            target.refreshInTurn();
            journal.write();
        }
    }

    private ShareGroupHeartbeatResponse leave(ShareGroupHeartbeatRequest request) {
        ShareMember member = members.get(request.memberId());
        if (member == null) {
            throw unknown(request.memberId());
        }
        remove(member);
        return new ShareGroupHeartbeatResponse().memberId(request.memberId()).memberEpoch(request.memberEpoch());
    }

    private void remove(ShareMember member) {
        member.cancelSession();
        members.remove(member.id);
        countMembers(!members.isEmpty());
        count(-member.heapBytes(), true);
        target.memberRemoved();
    }

    private void restartSession(ShareMember member) {
        Timers.Timer timer = member.session;
        if (timer == null) {
            timer = context.group().timers().timer(() -> fence(member));
            member.session = timer;
        }
        timer.set(context.group().clock().nanosIn(sessionMillis()));
    }

    private int sessionMillis() {
        return context.configs().of(groupId).sessionTimeoutMillis();
    }

    private void fence(ShareMember member) {
        if (members.get(member.id) == member) {
            MemberLog.removed(groupId, member.id, member.clientHost, "no heartbeat for " + sessionMillis() + " ms");
            remove(member);
            journal.write();
            images.changed();
        }
    }

    private void count(long bytes, boolean isCounted) {
        if (isCounted) {
            context.group().heap().add(bytes);
            countedBytes += bytes;
        }
    }

    /** It is in its slot from now on, until {@link #close}. */
    public void installed() {
        if (!counted) {
            counted = true;
            context.known().add(groupId, this);
        }
    }

    private void uninstall() {
        if (counted) {
            counted = false;
            context.known().remove(groupId, this);
        }
    }

    private void countMembers(boolean now) {
        if (now != countedWithMembers) {
            countedWithMembers = now;
            context.known().addWithMembers(now ? 1 : -1);
        }
    }

    @Override
    public void close() {
        countMembers(false);
        uninstall();
        closed = true;
        members.values().forEach(ShareMember::cancelSession);
        topics.close();
        count(-countedBytes, true);
    }

    // ---- the log ----

    /** Calls back when all changes are durable, now or later, or with the failure. */
    public void whenDurable(Consumer<@Nullable Throwable> action) {
        journal.whenDurable(action);
    }

    /** The queues that members have subscribed to since the group exists, without those that were forgotten. */
    public QueueSet queues() {
        return journal.queues();
    }

    /** Adds queues of topics whose offsets a client has set, or forgets queues. Ask {@link #whenDurable} afterwards. */
    public void setQueues(QueueSet queues) {
        journal.setQueues(queues);
        if (!journal.isStored()) {
            journal.epochChanged();
        }
    }

    // ---- for all kinds of groups ----

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public String protocolType() {
        return TYPE;
    }

    @Override
    public String stateName() {
        return members.isEmpty() ? "Empty" : "Stable";
    }

    @Override
    public boolean isEmpty() {
        return members.isEmpty();
    }

    /** A group that the log has stays until it is deleted. */
    @Override
    public boolean isIdle() {
        return members.isEmpty() && journal.isQuiet() && !journal.isStored();
    }

    /** It has no offsets that expire. */
    @Override
    public long emptySinceMillis(long latestMillis) {
        return -1;
    }

    @Override
    public boolean offsetsMayExpire() {
        return true;
    }

    @Override
    public boolean isSubscribedTo(String topicName) {
        return !members.isEmpty() && topics.isSubscribed(topicName);
    }

    @Override
    public boolean knowsItsTopics() {
        return true;
    }

    /** A share group has no committed offsets. */
    @Override
    public ErrorCode checkCommit(OffsetCommitter committer) {
        return ErrorCode.GROUP_ID_NOT_FOUND;
    }

    @Override
    public ErrorCode checkFetch(@Nullable String memberId, int memberEpoch) {
        return ErrorCode.NONE;
    }

    @Override
    public int memberCount() {
        return members.size();
    }

    /** Until a member joins, or the deletion fails, it is none of the groups that there are: no fetch makes rows. */
    @Override
    public void beforeDeletion(Consumer<@Nullable Throwable> ready) {
        uninstall();
        context.states()
                .deleteGroup(
                        groupId,
                        failure -> context.thread().accept(() -> {
                            if (failure != null) {
                                notDeleted();
                            }
                            ready.accept(failure);
                        }));
    }

    @Override
    public void notDeleted() {
        if (!closed) {
            installed();
        }
    }

    /** A member that joins meanwhile makes a new group, with the epochs of this one. */
    @Override
    public void deleted() {
        journal.forget();
    }

    // ---- for this package ----

    String groupId() {
        return groupId;
    }

    int groupEpoch() {
        return target.groupEpoch();
    }

    int targetEpoch() {
        return target.targetEpoch();
    }

    Collection<ShareMember> members() {
        return members.values();
    }

    ShareTopics topics() {
        return topics;
    }
}
