package io.rivulet.broker.group.consumer;

import java.util.ArrayList;
import java.util.List;

/**
 * The assignment that the members of a group move towards, and its epochs. When the queues that members may have
 * change, the group epoch rises, the assignor assigns all queues anew, and the target epoch follows. If this takes
 * long, the group waits for its turn; until then members keep their queues.
 *
 * <p>Owned by: the coordinator thread.
 */
final class TargetAssignment {
    static final long NOT_EMPTY = -1;

    private final ConsumerContext context;
    private final GroupTopics topics;
    private final ConsumerMembers members;
    private final OwnedQueues owned;
    private final ConsumerJournal journal;
    private int groupEpoch;
    private int targetEpoch;
    /** Hash of the queues that each member may have, as of the group epoch. */
    private long eligibility;

    private long emptySinceMillis = NOT_EMPTY;
    /** Members or topics have changed since the hash was computed. */
    private boolean mayHaveChanged;

    private boolean takesLong;
    private boolean waitsForTurn;

    TargetAssignment(
            ConsumerContext context,
            GroupTopics topics,
            ConsumerMembers members,
            OwnedQueues owned,
            ConsumerJournal journal) {
        this.context = context;
        this.topics = topics;
        this.members = members;
        this.owned = owned;
        this.journal = journal;
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

    /**
     * Assigns anew if topics, members or subscriptions have changed: now, or in the group's turn.
     *
     * @param turn runs later, and calls {@link #refreshInTurn}
     */
    void refresh(Runnable turn) {
        boolean needed = mayHaveChanged || topics.areDue();
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
        takesLong = tookLong || (takesLong && !assigned);
    }

    /** Returns whether the queues were assigned anew. */
    private boolean assign() {
        if (!mayHaveChanged || !topics.areKnown()) {
            return false;
        }
        mayHaveChanged = false;
        long now = members.eligibility();
        if (now == eligibility && groupEpoch != 0) {
            return false;
        }
        eligibility = now;
        groupEpoch++;
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
        emptySinceMillis = members.isEmpty() ? context.group().clock().stampMillis() : NOT_EMPTY;
        journal.changes().group();
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
