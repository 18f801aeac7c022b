package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.consumer.ConsumerMember.State;
import org.jspecify.annotations.Nullable;

/**
 * Moves a member one step from its present assignment towards its target.
 *
 * <pre>
 * state       when                                       then
 * any         queues to revoke                           UNREVOKED_PARTITIONS, epoch stays
 * UNREVOKED   the member still reports them, or           stays
 *             reports nothing
 * UNREVOKED   it reports none of them                    as if STABLE: the revoked queues are free
 * any         none to revoke, all of the target free     STABLE, the target's epoch, all of the target
 * any         none to revoke, some of it not free        UNRELEASED_PARTITIONS, the target's epoch, the free ones
 * </pre>
 *
 * <p>Owned by: the coordinator thread.
 */
final class Reconciliation {
    private Reconciliation() {}

    /**
     * @param reported the queues that the member reports to have; null if it reports nothing
     * @return whether anything has changed
     */
    static boolean step(ConsumerMember member, int targetEpoch, @Nullable QueueSet reported, OwnedQueues owned) {
        boolean waits = switch (member.state) {
            case STABLE -> member.epoch == targetEpoch;
            case UNREVOKED_PARTITIONS -> stillHas(reported, member.revoking);
            case UNRELEASED_PARTITIONS -> false;
        };
        if (waits) {
            return false;
        }
        return towardsTarget(member, targetEpoch, reported, owned);
    }

    private static boolean towardsTarget(
            ConsumerMember member, int targetEpoch, @Nullable QueueSet reported, OwnedQueues owned) {
        QueueSet kept = member.assigned.intersect(member.target);
        QueueSet excess = member.assigned.minus(kept);
        QueueSet wanted = member.target.minus(kept);
        if (!excess.isEmpty() && stillHas(reported, excess)) {
            change(member, member.epoch, State.UNREVOKED_PARTITIONS, kept, excess, owned);
            return true;
        }
        // Queues that the member itself has just revoked are free for it too.
        QueueSet taken = owned.among(wanted).minus(member.revoking).minus(excess);
        QueueSet assigned = kept.union(wanted.minus(taken));
        State state = taken.isEmpty() ? State.STABLE : State.UNRELEASED_PARTITIONS;
        if (state == member.state && member.epoch == targetEpoch && assigned.equals(member.assigned)) {
            return false;
        }
        change(member, targetEpoch, state, assigned, QueueSet.EMPTY, owned);
        return true;
    }

    private static boolean stillHas(@Nullable QueueSet reported, QueueSet revoking) {
        return reported == null || !reported.intersect(revoking).isEmpty();
    }

    private static void change(
            ConsumerMember member, int epoch, State state, QueueSet assigned, QueueSet revoking, OwnedQueues owned) {
        QueueSet before = member.owned();
        QueueSet after = assigned.union(revoking);
        owned.remove(before.minus(after));
        owned.add(after.minus(before));
        member.moveTo(epoch);
        member.state = state;
        member.since = member.since.changed(member.assigned, after, epoch);
        member.assigned = assigned;
        member.revoking = revoking;
    }
}
