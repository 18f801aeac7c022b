package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.streams.StreamsMember.State;
import org.jspecify.annotations.Nullable;

/**
 * Moves a member one step from its present tasks towards its target.
 *
 * <pre>
 * state       when                                       then
 * STABLE or
 * UNRELEASED  tasks to revoke                            UNREVOKED_TASKS, epoch stays
 * UNREVOKED   the member still reports them, or          stays
 *             reports nothing
 * UNREVOKED   it reports none of them, and has others    UNREVOKED_TASKS, the next epoch, as in Kafka
 *             to revoke
 * UNREVOKED   it reports none of them                    as if STABLE: the revoked tasks are free
 * any         none to revoke, all of the target free     STABLE, the target's epoch, all of the target
 * any         none to revoke, some of it not free        UNRELEASED_TASKS, the target's epoch, the free ones
 * </pre>
 *
 * <p>Owned by: the coordinator thread.
 */
final class TaskReconciliation {
    private TaskReconciliation() {}

    /**
     * @param reported the tasks that the member reports to have; null if it reports nothing
     * @return whether anything has changed
     */
    static boolean step(
            StreamsMember member, int targetEpoch, @Nullable ReportedTasks reported, StreamsMembers members) {
        boolean waits = switch (member.state) {
            case STABLE -> member.epoch == targetEpoch;
            case UNREVOKED_TASKS -> stillHas(reported, member.revoking);
            case UNRELEASED_TASKS -> false;
        };
        if (waits) {
            return false;
        }
        Tasks kept = member.assigned.intersect(member.target);
        Tasks excess = member.assigned.minus(kept);
        if (!excess.isEmpty() && stillHas(reported, excess)) {
            // Each assignment asks once for a revocation, so the epoch does not pass that of the target.
            int epoch = member.state == State.UNREVOKED_TASKS ? member.epoch + 1 : member.epoch;
            change(member, epoch, State.UNREVOKED_TASKS, kept, excess);
            return true;
        }
        Tasks wanted = member.target.minus(kept);
        Tasks free = wanted.isEmpty() ? wanted : wanted.minus(members.taken(wanted, member));
        Tasks assigned = kept.union(free);
        State state = free.equals(wanted) ? State.STABLE : State.UNRELEASED_TASKS;
        if (state == member.state && member.epoch == targetEpoch && assigned.equals(member.assigned)) {
            return false;
        }
        change(member, targetEpoch, state, assigned, Tasks.NONE);
        return true;
    }

    private static boolean stillHas(@Nullable ReportedTasks reported, Tasks revoking) {
        return reported == null || reported.own().intersects(revoking);
    }

    private static void change(StreamsMember member, int epoch, State state, Tasks assigned, Tasks revoking) {
        TaskSet after = assigned.active().union(revoking.active());
        member.moveTo(epoch);
        member.state = state;
        member.since = member.since.changed(member.assigned.active(), after, epoch);
        member.assigned = assigned;
        member.revoking = revoking;
    }
}
