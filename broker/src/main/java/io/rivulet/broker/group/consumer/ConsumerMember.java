package io.rivulet.broker.group.consumer;

import io.rivulet.broker.coordinator.Timers;
import org.jspecify.annotations.Nullable;

/**
 * A member of a group. Owned by: the coordinator thread.
 *
 * <pre>
 * epoch        the last epoch that was sent to the member; its commits carry it or an earlier one
 *   0 after it joined, -2 while a static member is away, otherwise the epoch of the assignment it moves to
 * target       its queues according to the group's target epoch
 * assigned     the queues that were sent to it
 * revoking     the queues that it must revoke and may still use
 * since        for each of these two, the epoch in which the member got it
 * </pre>
 */
final class ConsumerMember {
    /** The epoch of a static member that is away. */
    static final int AWAY = -2;

    /** The progress towards the target. The numbers are stored in the log. */
    enum State {
        /** It has the assignment of its epoch. */
        STABLE(0),
        /** Its epoch stays until it reports that it has revoked its queues. */
        UNREVOKED_PARTITIONS(1),
        /** It waits for queues that other members have not revoked yet. */
        UNRELEASED_PARTITIONS(2);

        final byte number;

        State(int number) {
            this.number = (byte) number;
        }

        static State numbered(byte number) {
            for (State state : values()) {
                if (state.number == number) {
                    return state;
                }
            }
            throw new IllegalStateException("unknown state of a member: " + number);
        }
    }

    final String id;

    @Nullable
    String instanceId;

    @Nullable
    String rackId;

    String clientId = "";
    String clientHost = "";
    int rebalanceTimeoutMillis = -1;

    @Nullable
    String assignor;

    Subscription subscription = Subscription.NOTHING;
    /** Its data of the classic protocol; null for a member of the consumer protocol. */
    @Nullable
    ClassicMetadata classic;

    int epoch;
    int previousEpoch;
    State state = State.STABLE;
    QueueSet assigned = QueueSet.EMPTY;
    QueueSet revoking = QueueSet.EMPTY;
    AssignmentEpochs since = AssignmentEpochs.NONE;
    QueueSet target = QueueSet.EMPTY;

    // ---- not in the log ----
    /** The queues that the subscription allows; null until they are known. */
    @Nullable
    QueueSet allowed;

    Timers.@Nullable Timer session;
    Timers.@Nullable Timer revocation;

    ConsumerMember(String id) {
        this.id = id;
    }

    /** The instance id, or else the member id: a static member keeps it when it comes back. */
    String staticOrOwnId() {
        return instanceId == null ? id : instanceId;
    }

    QueueSet owned() {
        return assigned.union(revoking);
    }

    void moveTo(int newEpoch) {
        previousEpoch = epoch;
        epoch = newEpoch;
    }

    /** A static member leaves for a while: it keeps its queues, except those that it was revoking. */
    void leaveForAWhile() {
        epoch = AWAY;
        state = State.STABLE;
        revoking = QueueSet.EMPTY;
        since = AssignmentEpochs.of(assigned, 0);
        cancelRevocation();
    }

    /** The static member under a new id, with the same queues. It still has to join. */
    ConsumerMember withId(String newId) {
        ConsumerMember copy = new ConsumerMember(newId);
        copy.instanceId = instanceId;
        copy.rackId = rackId;
        copy.clientId = clientId;
        copy.clientHost = clientHost;
        copy.rebalanceTimeoutMillis = rebalanceTimeoutMillis;
        copy.assignor = assignor;
        copy.subscription = subscription;
        copy.classic = classic;
        copy.state = state;
        copy.assigned = assigned;
        copy.revoking = revoking;
        copy.since = since;
        copy.target = target;
        copy.allowed = allowed;
        return copy;
    }

    void cancelRevocation() {
        if (revocation != null) {
            revocation.cancel();
        }
    }

    void cancelTimers() {
        cancelRevocation();
        if (session != null) {
            session.cancel();
        }
    }
}
