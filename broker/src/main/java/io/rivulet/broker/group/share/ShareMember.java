package io.rivulet.broker.group.share;

import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.group.base.MemberTexts;
import io.rivulet.broker.group.consumer.QueueSet;
import io.rivulet.broker.group.consumer.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member of a share group. Owned by: the coordinator thread.
 *
 * <pre>
 * epoch        the last epoch that was sent to the member
 * target       its queues according to the group's target epoch
 * assigned     the queues that were sent to it
 * </pre>
 */
final class ShareMember {
    private static final long OVERHEAD_BYTES = 400;

    final String id;

    @Nullable
    String rackId;

    String clientId = "";
    String clientHost = "";
    Subscription subscription = Subscription.NOTHING;
    int epoch;
    int previousEpoch;
    QueueSet assigned = QueueSet.EMPTY;
    QueueSet target = QueueSet.EMPTY;
    /** The queues that the subscription allows. */
    QueueSet allowed = QueueSet.EMPTY;

    Timers.@Nullable Timer session;

    ShareMember(String id) {
        this.id = id;
    }

    /**
     * Takes over what the member has sent; null means no change.
     *
     * @return whether the subscription has changed
     */
    boolean update(
            String newClientId, String newClientHost, @Nullable String newRackId, @Nullable List<String> topicNames) {
        clientId = newClientId;
        clientHost = newClientHost;
        rackId = newRackId == null ? rackId : newRackId;
        Subscription before = subscription;
        subscription = topicNames == null ? before : Subscription.of(topicNames, "");
        return !subscription.equals(before);
    }

    void moveTo(int newEpoch) {
        previousEpoch = epoch;
        epoch = newEpoch;
    }

    /** Approximate. */
    long heapBytes() {
        long bytes = OVERHEAD_BYTES
                + MemberTexts.bytes(id)
                + MemberTexts.bytes(rackId)
                + MemberTexts.bytes(clientId)
                + MemberTexts.bytes(clientHost);
        for (String name : subscription.names()) {
            bytes += MemberTexts.bytes(name);
        }
        return bytes;
    }

    void cancelSession() {
        if (session != null) {
            session.cancel();
        }
    }
}
