package io.rivulet.broker.group.streams;

import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.group.base.ChangedParts;
import io.rivulet.broker.group.base.ItemJournal;
import io.rivulet.broker.group.consumer.AssignmentTurns;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The assignment that the members of a group move towards, and its epochs. When members, topics or the number of
 * standbys change, the group epoch rises, the assignor assigns all tasks anew, and the target epoch follows. Three
 * things delay that: the first members of a group wait for others, {@code streams.assignment.interval.ms}, and large
 * groups wait for their {@link AssignmentTurns turn}.
 *
 * <p>Owned by: the coordinator thread.
 */
final class TaskTarget {
    static final long NOT_EMPTY = -1;
    static final int NOT_VALIDATED = -1;
    /** Members and tasks. */
    private static final int SMALL_GROUP = 100;

    /** The first assignment of such a group takes long too. */
    private static final int LARGE_GROUP = 20_000;

    /** The epoch of a new group, whose members have no tasks yet. The first assignment has a later epoch. */
    private static final int FIRST_EPOCH = 1;

    private final String groupId;
    private final StreamsContext context;
    private final StreamsMembers members;
    private final ItemJournal journal;
    private final Timers.Timer firstMembers;
    private final Runnable onTurn;
    private int groupEpoch = FIRST_EPOCH;
    private int targetEpoch = FIRST_EPOCH;
    /** Of the topics, as of the group epoch. */
    private long topicsHash;
    /** The epoch of the topology if it was ready, as of the group epoch. */
    private int validatedTopologyEpoch = NOT_VALIDATED;
    /** As of the group epoch. */
    private int standbys = -1;

    private long emptySinceMillis = NOT_EMPTY;
    private boolean waitsForMembers;
    private long assignNotBefore = Long.MIN_VALUE;
    /** Whether the last assignment took so long that the next one needs a turn. */
    private boolean takesLong;

    private boolean waitsForTurn;

    /** @param onDelayEnded runs when a delayed assignment may go ahead */
    TaskTarget(
            String groupId,
            StreamsContext context,
            StreamsMembers members,
            ItemJournal journal,
            Runnable onDelayEnded) {
        this.groupId = groupId;
        this.context = context;
        this.members = members;
        this.journal = journal;
        this.firstMembers = context.group().timers().timer(() -> {
            waitsForMembers = false;
            onDelayEnded.run();
        });
        this.onTurn = () -> {
            waitsForTurn = false;
            onDelayEnded.run();
        };
    }

    void restore(
            int newGroupEpoch,
            int newTargetEpoch,
            long newTopicsHash,
            int newValidated,
            int newStandbys,
            long newEmptySinceMillis) {
        groupEpoch = newGroupEpoch;
        targetEpoch = newTargetEpoch;
        topicsHash = newTopicsHash;
        validatedTopologyEpoch = newValidated;
        standbys = newStandbys;
        emptySinceMillis = newEmptySinceMillis;
    }

    /** The first member of an empty group joins: it may have to wait for others. */
    void beginsToFill() {
        int delayMillis = context.configs().initialRebalanceDelayMillis(groupId);
        if (delayMillis > 0 && !waitsForMembers) {
            waitsForMembers = true;
            firstMembers.set(context.group().clock().nanosIn(delayMillis));
        }
    }

    /**
     * Raises the group epoch if anything has changed that counts for the assignment.
     *
     * @param membersChanged whether a member has joined or changed
     */
    void changed(boolean membersChanged, ConfiguredTopology topics) {
        int validated = topics.isReady() ? topics.topology().epoch() : NOT_VALIDATED;
        int wantedStandbys = context.configs().standbyReplicas(groupId);
        if (membersChanged
                || topics.hash() != topicsHash
                || validated != validatedTopologyEpoch
                || wantedStandbys != standbys) {
            topicsHash = topics.hash();
            validatedTopologyEpoch = validated;
            standbys = wantedStandbys;
            raiseGroupEpoch();
        }
    }

    void memberRemoved() {
        raiseGroupEpoch();
        if (members.isEmpty()) {
            targetEpoch = groupEpoch;
            emptySinceMillis = context.group().clock().stampMillis();
        }
    }

    private void raiseGroupEpoch() {
        groupEpoch++;
        journal.changes().group(ChangedParts.EPOCHS);
    }

    /**
     * Assigns the tasks anew if the group epoch has risen.
     *
     * @return what delays it; null if nothing does
     */
    @Nullable
    Status assign(ConfiguredTopology topics) {
        if (waitsForMembers) {
            return StreamsStatus.ASSIGNMENT_DELAYED.with(
                    "Assignment delayed due to the configured initial rebalance delay.");
        }
        if (targetEpoch == groupEpoch) {
            return null;
        }
        long nowMillis = context.group().clock().elapsedMillis();
        if (nowMillis < assignNotBefore) {
            return StreamsStatus.ASSIGNMENT_DELAYED.with(
                    "Assignment delayed by streams.assignment.interval.ms after the last one.");
        }
        int size = members.size() + taskCount(topics);
        if ((takesLong || size > LARGE_GROUP) && !context.turns().isFree()) {
            awaitTurn();
            return StreamsStatus.ASSIGNMENT_DELAYED.with(
                    "Assignment delayed: the group is large, and other groups have their turn.");
        }
        long began = context.turns().begin();
        assignNow(topics);
        // A small group took long for another reason, such as a pause of the JVM.
        takesLong = context.turns().end(began) && size > SMALL_GROUP;
        assignNotBefore = nowMillis + context.configs().assignmentIntervalMillis(groupId);
        return null;
    }

    private void awaitTurn() {
        if (!waitsForTurn) {
            waitsForTurn = true;
            context.turns().await(onTurn);
        }
    }

    private static int taskCount(ConfiguredTopology topics) {
        return topics.tasks().values().stream().mapToInt(Integer::intValue).sum();
    }

    private void assignNow(ConfiguredTopology topics) {
        List<TaskAssignor.Assignee> assignees = new ArrayList<>(members.size());
        for (StreamsMember member : members.all()) {
            assignees.add(new TaskAssignor.Assignee(member.id, member.processId, member.target));
        }
        TaskAssignor.assign(assignees, parts(topics), standbys);
        for (TaskAssignor.Assignee assignee : assignees) {
            StreamsMember member = members.find(assignee.id);
            Tasks after = assignee.after();
            if (member != null && !member.target.equals(after)) {
                member.target = after;
                journal.changes().member(member.id, ChangedParts.TARGET);
            }
        }
        targetEpoch = groupEpoch;
        journal.changes().group(ChangedParts.EPOCHS);
    }

    private static List<TaskAssignor.Part> parts(ConfiguredTopology topics) {
        List<TaskAssignor.Part> parts = new ArrayList<>();
        for (Topology.Subtopology part : topics.topology().subtopologies().values()) {
            int count = topics.isReady() ? topics.tasks().getOrDefault(part.id(), 0) : 0;
            parts.add(new TaskAssignor.Part(part.id(), count, part.isStateful()));
        }
        return parts;
    }

    void close() {
        firstMembers.cancel();
    }

    int groupEpoch() {
        return groupEpoch;
    }

    int targetEpoch() {
        return targetEpoch;
    }

    long topicsHash() {
        return topicsHash;
    }

    int validatedTopologyEpoch() {
        return validatedTopologyEpoch;
    }

    int standbys() {
        return standbys;
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
