package io.rivulet.broker.group.consumer;

import io.rivulet.broker.coordinator.Timers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A member of a group. Owned by: the thread that owns the groups.
 *
 * <pre>
 * epoch        what the member was last told; a commit must carry it
 *   joined 0, left for a while (static) -2, otherwise the epoch of the assignment that it moves towards
 * target       what it shall have, as of the group's target epoch
 * assigned     what it has been told to have
 * revoking     what it has been told to give up and may still use
 * </pre>
 */
final class ConsumerMember {
    /** Of a static member that is away. */
    static final int AWAY = -2;

    /** How far it is on its way to the target. The numbers stand in the log. */
    enum State {
        /** It has what its epoch gives it. */
        STABLE(0),
        /** It must say that it has given up what it is to give up; until then its epoch stays. */
        UNREVOKED_PARTITIONS(1),
        /** It waits for queues that others have not given up yet. */
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
            throw new IllegalStateException("a member in a state of number " + number);
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
    /** What it is to the classic protocol; null for a member of the consumer protocol. */
    @Nullable
    ClassicSide classic;

    int epoch;
    int previousEpoch;
    State state = State.STABLE;
    QueueSet assigned = QueueSet.EMPTY;
    QueueSet revoking = QueueSet.EMPTY;
    QueueSet target = QueueSet.EMPTY;

    // ---- not in the log ----
    /** What the subscription allows; null until that is known. */
    @Nullable
    QueueSet allowed;

    Timers.@Nullable Timer session;
    Timers.@Nullable Timer revocation;

    ConsumerMember(String id) {
        this.id = id;
    }

    /** The same for every life of a static member. */
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

    /** A static member that is away keeps what it has, and gives up what it was to give up. */
    void goAway() {
        epoch = AWAY;
        state = State.STABLE;
        revoking = QueueSet.EMPTY;
        cancelRevocation();
    }

    /** The same static member under another id: it has what it had, and still has to join. */
    ConsumerMember reborn(String newId) {
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

    /** Everything but what only the process knows. */
    boolean sameAs(ConsumerMember other) {
        return id.equals(other.id)
                && Objects.equals(instanceId, other.instanceId)
                && Objects.equals(rackId, other.rackId)
                && clientId.equals(other.clientId)
                && clientHost.equals(other.clientHost)
                && rebalanceTimeoutMillis == other.rebalanceTimeoutMillis
                && Objects.equals(assignor, other.assignor)
                && subscription.equals(other.subscription)
                && Objects.equals(classic, other.classic)
                && epoch == other.epoch
                && previousEpoch == other.previousEpoch
                && state == other.state
                && assigned.equals(other.assigned)
                && revoking.equals(other.revoking)
                && target.equals(other.target);
    }
}
