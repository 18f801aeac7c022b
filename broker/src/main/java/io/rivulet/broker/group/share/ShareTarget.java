package io.rivulet.broker.group.share;

import java.util.Collection;
import java.util.List;

/**
 * The assignment of a share group, and its epochs. When subscriptions or topics change, the group epoch rises, the
 * queues are assigned anew, and the target epoch follows. If this takes long, the group waits for its turn. After a
 * member was removed, the next heartbeat of another one assigns its queues.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ShareTarget {
    /** The epoch of a new group, whose members have no queues yet. The first assignment has the next epoch. */
    static final int FIRST_EPOCH = 1;

    /** A group with fewer members and topics takes long only while the code is cold. */
    private static final int SMALL_GROUP = 100;

    private final String groupId;
    private final ShareContext context;
    private final ShareTopics topics;
    private final Collection<ShareMember> members;
    private final ShareJournal journal;
    private int groupEpoch;
    private int targetEpoch;
    /** Of the queues that were subscribed to when topics were resolved. */
    private long topicsHash;

    private boolean subscriptionChanged;
    private long assignNotBefore = Long.MIN_VALUE;
    private boolean takesLong;
    private boolean waitsForTurn;

    ShareTarget(
            String groupId,
            ShareContext context,
            ShareTopics topics,
            Collection<ShareMember> members,
            ShareJournal journal,
            int epoch) {
        this.groupId = groupId;
        this.context = context;
        this.topics = topics;
        this.members = members;
        this.journal = journal;
        this.groupEpoch = epoch;
        this.targetEpoch = epoch;
        this.topicsHash = topics.all().hash64();
    }

    int groupEpoch() {
        return groupEpoch;
    }

    int targetEpoch() {
        return targetEpoch;
    }

    void subscriptionChanged() {
        subscriptionChanged = true;
    }

    /** The member has left, and is not among the members any more. */
    void memberRemoved() {
        raiseGroupEpoch();
        if (members.isEmpty()) {
            targetEpoch = groupEpoch;
        }
    }

    private void raiseGroupEpoch() {
        groupEpoch++;
        journal.epochChanged();
    }

    /**
     * Assigns anew if topics, members or subscriptions have changed: now, or in the group's turn. If the group has been
     * assigned a short time ago, a later call does it.
     *
     * @param turn runs later, and calls {@link #refreshInTurn}
     */
    void refresh(Runnable turn) {
        boolean needed = subscriptionChanged || groupEpoch > targetEpoch || topics.areDue();
        if (needed && takesLong && !context.turns().isFree()) {
            if (!waitsForTurn) {
                waitsForTurn = true;
                context.turns().await(turn);
            }
        } else if (needed) {
            refreshNow();
        }
    }

    void refreshInTurn() {
        waitsForTurn = false;
        refreshNow();
    }

    private void refreshNow() {
        long began = context.turns().begin();
        if (topics.refresh(members)) {
            long hash = topics.all().hash64();
            subscriptionChanged |= hash != topicsHash;
            topicsHash = hash;
        }
        journal.setQueues(journal.queues().union(topics.all()));
        if (subscriptionChanged) {
            subscriptionChanged = false;
            raiseGroupEpoch();
        }
        boolean assigned = assign();
        boolean tookLong = context.turns().end(began);
        // A refresh without an assignment is always fast, so it does not predict the next one.
        takesLong = (tookLong && members.size() + topics.names() > SMALL_GROUP) || (takesLong && !assigned);
    }

    /** Returns whether the queues were assigned anew. */
    private boolean assign() {
        long nowMillis = context.group().clock().elapsedMillis();
        if (members.isEmpty() || targetEpoch == groupEpoch || nowMillis < assignNotBefore) {
            return false;
        }
        assignNotBefore = nowMillis + context.configs().of(groupId).assignmentIntervalMillis();
        List<SimpleAssignor.Assignee> assignees = SimpleAssignor.assigned(members);
        assignees.forEach(assignee -> assignee.member.target = assignee.queues());
        targetEpoch = groupEpoch;
        return true;
    }
}
