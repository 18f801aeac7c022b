package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.consumer.ConsumerMember.State;
import org.jspecify.annotations.Nullable;

/**
 * Brings a member one step from what it has to what it shall have.
 *
 * <pre>
 * state       when                                       then
 * any         something to give up                       UNREVOKED_PARTITIONS, epoch stays
 * UNREVOKED   the member still says that it has it, or   stays
 *             says nothing of what it has
 * UNREVOKED   it says that it has none of it             as if it were STABLE: what was given up is free
 * any         nothing to give up, all of the target free STABLE, the target's epoch, all of the target
 * any         nothing to give up, some of it not free    UNRELEASED_PARTITIONS, the target's epoch, what is free
 * </pre>
 *
 * <p>Owned by: the coordinator thread.
 */
final class Reconciliation {
    private Reconciliation() {}

    /**
     * @param reported what the member says it has; null when it says nothing
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
        // What it has just given up itself is free for it, too.
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
        member.assigned = assigned;
        member.revoking = revoking;
    }
}
