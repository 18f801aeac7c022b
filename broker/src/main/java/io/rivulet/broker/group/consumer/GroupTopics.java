package io.rivulet.broker.group.consumer;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.consumer.ConsumerContext.Found;
import io.rivulet.broker.group.consumer.ConsumerContext.Search;
import io.rivulet.broker.topic.Topic;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a group knows of topics: a function of the catalogue, found again after a restart. Names are looked up as soon
 * as topics have changed and a member is heard of; regular expressions are matched elsewhere, and count when the result
 * has come.
 *
 * <p>Owned by: the coordinator thread.
 */
final class GroupTopics {
    private static final Logger LOG = LoggerFactory.getLogger(GroupTopics.class);
    /** While topics come and go all the time, names are looked up this often. */
    private static final long MIN_REFRESH_MILLIS = 1000;
    /**
     * Matching a name takes a few tenths of a microsecond: so a stream of new topics costs some hundredths of a thread
     * for each regex.
     */
    private static final long REMATCH_MICROS_PER_TOPIC = 10;

    private static final long MICROS_PER_MILLI = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** Matching is paused for so many times as long as it took. */
    private static final long PAUSES = 10;
    /** Of one group, all different: each is matched with every topic. */
    private static final int MAX_REGEXES = 100;
    /**
     * In all different subscriptions of a group: they are looked up and shared in one go, in less than half a second.
     */
    private static final int MAX_NAMES = 250_000;
    /** A topic and its place in a list. */
    private static final long BYTES_PER_MATCH = 72;

    private final ConsumerContext context;
    private final Runnable onMatched;
    private ResolvedTopics subscribed = ResolvedTopics.NONE;
    private Map<String, List<Topic>> matches = new TreeMap<>();
    private long version = -1;
    private long refreshNotBefore = Long.MIN_VALUE;
    private long matchedVersion = -1;
    private long rematchNotBefore = Long.MIN_VALUE;
    private Set<String> regexes = Set.of();
    /** Of the members, and perhaps of some that have gone since topics were last looked at. */
    private Set<Subscription> subscriptions = new HashSet<>();

    /** Names in all of them. */
    private int names;

    private boolean newSubscription;
    private boolean matching;
    /** After a restart, until all is found again that the last target was made of. */
    private boolean unknownSinceRestart;

    /** Asked by the thread that matches, too. */
    private volatile boolean closed;

    /** What it takes of the heap. */
    private long countedBytes;

    /** @param onMatched the regular expressions have been matched: what they mean may have changed */
    GroupTopics(ConsumerContext context, Runnable onMatched) {
        this.context = context;
        this.onMatched = onMatched;
    }

    /** A new subscription, or a member with one that another has as well. */
    void subscribed(ConsumerMember member) {
        member.subscription = subscribed.shared(member.subscription);
        if (subscriptions.add(member.subscription)) {
            names += member.subscription.names().size();
        }
        QueueSet allowed = subscribed.allowedBy(member.subscription);
        newSubscription |= allowed == null;
        member.allowed = isMatched(member.subscription) ? allowed : null;
    }

    private boolean isMatched(Subscription subscription) {
        return subscription.regex().isEmpty() || matches.containsKey(subscription.regex());
    }

    /** Whether {@link #refresh} would look names up. */
    boolean areDue() {
        return newSubscription
                || (context.topics().changes() != version
                        && context.group().clock().elapsedMillis() >= refreshNotBefore);
    }

    /**
     * Looks names up anew if topics or subscriptions have changed. Otherwise, as at most heartbeats, it costs nothing.
     *
     * @return whether it did, so that what members may have can be another
     */
    boolean refresh(Collection<ConsumerMember> members, OwnedQueues owned) {
        if (!areDue()) {
            return false;
        }
        newSubscription = false;
        version = context.topics().changes();
        refreshNotBefore = context.group().clock().elapsedMillis() + MIN_REFRESH_MILLIS;
        subscriptions = new HashSet<>();
        members.forEach(member -> subscriptions.add(member.subscription));
        names = subscriptions.stream()
                .mapToInt(subscription -> subscription.names().size())
                .sum();
        subscribed = ResolvedTopics.of(subscriptions, matches, context.topics(), subscribed, owned);
        members.forEach(this::subscribed);
        regexes = regexesOf(members);
        matches.keySet().retainAll(regexes);
        count(matches.values().stream().mapToLong(List::size).sum() * BYTES_PER_MATCH + subscribed.heapBytes());
        // Those that were unknown may have gone with their members.
        unknownSinceRestart &= !matches.keySet().containsAll(regexes);
        return true;
    }

    private static Set<String> regexesOf(Collection<ConsumerMember> members) {
        Set<String> found = new TreeSet<>();
        members.forEach(member -> found.add(member.subscription.regex()));
        found.remove("");
        return found;
    }

    /** Has regular expressions matched if there are new ones, or topics have changed. */
    void matchRegexes() {
        if (matching || closed || regexes.isEmpty()) {
            return;
        }
        long now = context.group().clock().elapsedMillis();
        long currentVersion = context.topics().changes();
        boolean due = currentVersion != matchedVersion && now >= rematchNotBefore;
        if (!due && matches.keySet().containsAll(regexes)) {
            return;
        }
        matching = true;
        matchedVersion = currentVersion;
        rematchNotBefore =
                now + MIN_REFRESH_MILLIS + context.topics().size() * REMATCH_MICROS_PER_TOPIC / MICROS_PER_MILLI;
        context.matcher().match(new Search(regexes, () -> !closed, this::matched));
    }

    private void matched(Found found) {
        matching = false;
        if (!closed) {
            long now = context.group().clock().elapsedMillis();
            rematchNotBefore = Math.max(rematchNotBefore, now + PAUSES * found.nanos() / NANOS_PER_MILLI);
            matches = hasRoomFor(found) ? found.topics() : nothing(found);
            newSubscription = true;
            unknownSinceRestart = false;
            onMatched.run();
        }
    }

    private boolean hasRoomFor(Found found) {
        long bytes = found.topics().values().stream().mapToLong(List::size).sum()
                * (BYTES_PER_MATCH + ResolvedTopics.BYTES_PER_RUN);
        boolean room = context.group().heap().hasRoomFor(bytes - countedBytes);
        if (!room) {
            LOG.warn(
                    "The regular expressions of a group match nothing now: rivulet.groups.bytes has no room for what "
                            + "they match, {} bytes",
                    bytes);
        }
        return room;
    }

    private static Map<String, List<Topic>> nothing(Found found) {
        Map<String, List<Topic>> nothing = new TreeMap<>();
        found.topics().keySet().forEach(regex -> nothing.put(regex, List.of()));
        return nothing;
    }

    private void count(long bytes) {
        context.group().heap().add(bytes - countedBytes);
        countedBytes = bytes;
    }

    /** @throws RefusedException when the group has more than one subscription, and with these it had too many names */
    void requireRoomFor(@Nullable List<String> moreNames) {
        if (moreNames != null && subscriptions.size() > 1 && names + (long) moreNames.size() > MAX_NAMES) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "The different subscriptions of the group have " + names + " names of topics, and may have "
                            + MAX_NAMES + " in all.");
        }
    }

    /** @throws RefusedException when the group has as many regular expressions as it may, and this is another */
    void requireRoomFor(@Nullable String regex) {
        if (regex != null && !regex.isEmpty() && regexes.size() >= MAX_REGEXES && !regexes.contains(regex)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "The group has " + regexes.size() + " different regular expressions, and may have no more.");
        }
    }

    /** The group comes from the log: nothing may change before what its members want is known again. */
    void afterRestart(Collection<ConsumerMember> members) {
        members.forEach(this::subscribed);
        regexes = regexesOf(members);
        unknownSinceRestart = members.stream().anyMatch(member -> !isMatched(member.subscription));
        newSubscription = true;
    }

    boolean areKnown() {
        return !unknownSinceRestart;
    }

    void requireKnown() {
        if (unknownSinceRestart) {
            matchRegexes();
        }
        if (unknownSinceRestart) {
            throw new RefusedException(
                    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "The topics of the group are looked up after a restart.");
        }
    }

    void close() {
        closed = true;
        count(0);
    }

    List<QueueSet> queuesByTopic() {
        return subscribed.queuesByTopic();
    }

    <T> List<T> byTopic(QueueSet queues, BiFunction<Topic, int[], T> make) {
        return subscribed.byTopic(queues, make);
    }

    /** Looks at the different subscriptions; they are few, however many members and topics there are. */
    boolean isSubscribed(String topicName) {
        Topic topic = context.topics().find(topicName);
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(0);
        for (Subscription subscription : subscriptions) {
            if (Collections.binarySearch(subscription.names(), topicName) >= 0) {
                return true;
            }
            QueueSet allowed = subscribed.allowedBy(subscription);
            if (allowed != null && queueId != Topic.NO_QUEUE && allowed.contains(queueId)) {
                return true;
            }
        }
        return false;
    }
}
