package io.rivulet.broker.group.share;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.consumer.QueueSet;
import io.rivulet.broker.group.consumer.ResolvedTopics;
import io.rivulet.broker.group.consumer.Subscription;
import io.rivulet.broker.topic.Topic;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The topics that the members of a share group subscribe to. Names are resolved again at the next heartbeat after
 * topics have changed, and at once for a new subscription.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ShareTopics {
    /** After topics have changed, names are resolved at most once in this time. */
    private static final long MIN_REFRESH_MILLIS = 1000;
    /** Limit of names in all different subscriptions of a group. */
    private static final int MAX_NAMES = 250_000;

    private final ShareContext context;
    private Set<Subscription> subscriptions = new HashSet<>();
    private int names;
    private ResolvedTopics resolved = ResolvedTopics.NONE;
    private QueueSet all = QueueSet.EMPTY;
    private long version = -1;
    private long refreshNotBefore = Long.MIN_VALUE;
    private boolean newSubscription;
    private long countedBytes;

    ShareTopics(ShareContext context) {
        this.context = context;
    }

    /** Registers the subscription of the member, which may be new or shared with other members. */
    void subscribed(ShareMember member) {
        member.subscription = resolved.shared(member.subscription);
        if (subscriptions.add(member.subscription)) {
            names += member.subscription.names().size();
        }
        QueueSet allowed = resolved.allowedBy(member.subscription);
        newSubscription |= allowed == null;
        member.allowed = allowed == null ? QueueSet.EMPTY : allowed;
    }

    /** Whether {@link #refresh} would resolve names. */
    boolean areDue() {
        return newSubscription
                || (context.topics().changes() != version
                        && context.group().clock().elapsedMillis() >= refreshNotBefore);
    }

    /**
     * Resolves names again if topics or subscriptions have changed. Otherwise, as with most heartbeats, it costs
     * nothing.
     *
     * @return whether it did
     */
    boolean refresh(Collection<ShareMember> members) {
        if (!areDue()) {
            return false;
        }
        newSubscription = false;
        version = context.topics().changes();
        refreshNotBefore = context.group().clock().elapsedMillis() + MIN_REFRESH_MILLIS;
        subscriptions = new HashSet<>();
        names = 0;
        members.forEach(member -> subscriptions.add(member.subscription));
        resolved = ResolvedTopics.of(subscriptions, context.topics());
        members.forEach(this::allow);
        QueueSet.Builder queues = new QueueSet.Builder();
        for (Subscription subscription : subscriptions) {
            names += subscription.names().size();
            queues.addAll(allowedBy(subscription));
        }
        all = queues.build();
        count(resolved.heapBytes());
        return true;
    }

    private void allow(ShareMember member) {
        member.subscription = resolved.shared(member.subscription);
        member.allowed = allowedBy(member.subscription);
    }

    private QueueSet allowedBy(Subscription subscription) {
        QueueSet allowed = resolved.allowedBy(subscription);
        return allowed == null ? QueueSet.EMPTY : allowed;
    }

    /** The number of names in all different subscriptions. */
    int names() {
        return names;
    }

    /** The queues of all topics that are subscribed to. */
    QueueSet all() {
        return all;
    }

    /** @throws RefusedException if the group has several subscriptions and would have too many names */
    void requireRoomFor(@Nullable List<String> moreNames) {
        if (moreNames != null && !subscriptions.isEmpty() && names + (long) moreNames.size() > MAX_NAMES) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "The different subscriptions of the group have " + names + " names of topics; the limit is "
                            + MAX_NAMES + ".");
        }
    }

    boolean isSubscribed(String topicName) {
        for (Subscription subscription : subscriptions) {
            if (Collections.binarySearch(subscription.names(), topicName) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The partitions of the queues, by topic. Queues of unknown or deleted topics are omitted. */
    <T> List<T> byTopic(QueueSet queues, BiFunction<Topic, int[], T> make) {
        return resolved.byTopic(queues, make);
    }

    void close() {
        count(0);
    }

    private void count(long bytes) {
        context.group().heap().add(bytes - countedBytes);
        countedBytes = bytes;
    }
}
