package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.base.ChangedParts;
import io.rivulet.broker.group.base.ItemJournal;
import java.util.ArrayList;
import java.util.List;

/**
 * The assignment that the members of a group move towards, and its epochs. When the queues that members may have
 * change, the group epoch rises, the assignor assigns all queues anew, and the target epoch follows. If this takes
 * long, the group waits for its turn; until then members keep their queues. After a member was removed, the next
 * heartbeat of another member assigns its queues.
 *
 * <p>Owned by: the coordinator thread.
 */
final class TargetAssignment {
    static final long NOT_EMPTY = -1;

    /** The epoch of a new group, whose members have no queues yet. The first assignment has the next epoch. */
    private static final int FIRST_EPOCH = 1;

    /** A group with fewer members and topics takes long only while the code is cold. */
    private static final int SMALL_GROUP = 100;

    private final String groupId;
    private final ConsumerContext context;
    private final GroupTopics topics;
    private final ConsumerMembers members;
    private final OwnedQueues owned;
    private final ItemJournal journal;
    private int groupEpoch = FIRST_EPOCH;
    private int targetEpoch = FIRST_EPOCH;
    /** Hash of the queues that each member may have, as of the group epoch. */
    private long eligibility;

    private long emptySinceMillis = NOT_EMPTY;
    /** Members or topics have changed since the hash was computed. */
    private boolean mayHaveChanged;

    private long assignNotBefore = Long.MIN_VALUE;
    private boolean takesLong;
    private boolean waitsForTurn;

    TargetAssignment(
            String groupId,
            ConsumerContext context,
            GroupTopics topics,
            ConsumerMembers members,
            OwnedQueues owned,
            ItemJournal journal) {
        this.groupId = groupId;
        this.context = context;
        this.topics = topics;
        this.members = members;
        this.owned = owned;
        this.journal = journal;
        this.eligibility = members.eligibility();
    }

    void restore(int newGroupEpoch, int newTargetEpoch, long newEligibility, long newEmptySinceMillis) {
        groupEpoch = newGroupEpoch;
        targetEpoch = newTargetEpoch;
        eligibility = newEligibility;
        emptySinceMillis = newEmptySinceMillis;
    }

    /** The queues that members may have can differ now; {@link #refresh} checks it. */
    void membersChanged() {
        mayHaveChanged = true;
    }

    /** The member has left, and is not among the members any more. */
    void memberRemoved(ConsumerMember member) {
        mayHaveChanged = true;
        eligibility -= ConsumerMembers.eligibility(member);
        raiseGroupEpoch();
        if (members.isEmpty()) {
            targetEpoch = groupEpoch;
            emptySinceMillis = context.group().clock().stampMillis();
        }
        if (!topics.areKnown()) {
            topics.refresh(members.all(), owned);
        }
    }

    private void raiseGroupEpoch() {
        groupEpoch++;
        journal.changes().group(ChangedParts.EPOCHS);
    }

    /**
     * Assigns anew if topics, members or subscriptions have changed: now, or in the group's turn. If the group has
     * been assigned a short time ago, a later call does it.
     *
     * @param turn runs later, and calls {@link #refreshInTurn}
     */
    void refresh(Runnable turn) {
        boolean needed = mayHaveChanged || groupEpoch > targetEpoch || topics.areDue();
        if (needed && takesLong && !members.isEmpty() && !context.turns().isFree()) {
            if (!waitsForTurn) {
                waitsForTurn = true;
                context.turns().await(turn);
            }
        } else {
            refreshNow();
        }
    }

    void refreshInTurn() {
        waitsForTurn = false;
        refreshNow();
    }

    private void refreshNow() {
        long began = context.turns().begin();
        mayHaveChanged |= topics.refresh(members.all(), owned);
        boolean assigned = assign();
        boolean tookLong = context.turns().end(began);
        // A refresh without an assignment is always fast, so it does not predict the next one.
        takesLong =
                (tookLong && members.size() + topics.queuesByTopic().size() > SMALL_GROUP) || (takesLong && !assigned);
    }

    /** Returns whether the queues were assigned anew. */
    private boolean assign() {
        if (!topics.areKnown()) {
            return false;
        }
        if (mayHaveChanged) {
            mayHaveChanged = false;
            long now = members.eligibility();
            if (now != eligibility) {
                eligibility = now;
                raiseGroupEpoch();
            }
        }
        long nowMillis = context.group().clock().elapsedMillis();
        if (targetEpoch == groupEpoch || nowMillis < assignNotBefore) {
            return false;
        }
        assignNotBefore = nowMillis + context.timeouts().assignmentIntervalMillis(groupId);
        List<Assignor.Assignee> assignees = new ArrayList<>(members.size());
        for (ConsumerMember member : members.all()) {
            // While its regular expression is being matched, the member keeps its queues and gets no new ones.
            QueueSet eligible = member.allowed == null ? member.target : member.allowed;
            assignees.add(new Assignor.Assignee(member, eligible, member.target));
        }
        members.preferredAssignor().assign(assignees, topics.queuesByTopic());
        for (Assignor.Assignee assignee : assignees) {
            if (!assignee.queues.equals(assignee.member.target)) {
                assignee.member.target = assignee.queues;
                journal.changes().member(assignee.member.id, ChangedParts.TARGET);
            }
        }
        targetEpoch = groupEpoch;
        journal.changes().group(ChangedParts.EPOCHS);
        return true;
    }

    int groupEpoch() {
        return groupEpoch;
    }

    int targetEpoch() {
        return targetEpoch;
    }

    long eligibility() {
        return eligibility;
    }

    /**
     * Returns {@link #NOT_EMPTY} while there are members. A time later than the given one counts as that one from now
     * on.
     */
    long emptySinceMillis(long latestMillis) {
        emptySinceMillis = Math.min(emptySinceMillis, latestMillis);
        return emptySinceMillis();
    }

    long emptySinceMillis() {
        return members.isEmpty() ? emptySinceMillis : NOT_EMPTY;
    }
}
