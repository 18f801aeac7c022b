package io.rivulet.broker.group.consumer;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.consumer.ConsumerContext.Found;
import io.rivulet.broker.group.consumer.ConsumerContext.Search;
import io.rivulet.broker.topic.Topic;
import io.rivulet.store.failure.LogLimit;
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
 * The topics that the members of a group subscribe to. They are not stored, but resolved again after a restart. Names
 * are resolved at the next heartbeat after topics have changed; regular expressions are matched on another thread.
 *
 * <p>Owned by: the coordinator thread.
 */
final class GroupTopics {
    private static final Logger LOG = LoggerFactory.getLogger(GroupTopics.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    /** Names are resolved at most once in this time. */
    private static final long MIN_REFRESH_MILLIS = 1000;
    /**
     * Matching a name takes a few tenths of a microsecond, so a stream of new topics costs a few percent of a thread
     * for each regular expression.
     */
    private static final long REMATCH_MICROS_PER_TOPIC = 10;

    private static final long MICROS_PER_MILLI = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** After matching, there is a pause of this many times its duration. */
    private static final long PAUSES = 10;
    /** Limit of different expressions of one group, because each is matched with every topic. */
    private static final int MAX_REGEXES = 100;
    /**
     * Limit of names in all different subscriptions of a group. They are resolved and assigned in one step of less
     * than half a second.
     */
    private static final int MAX_NAMES = 250_000;
    /** A topic and its slot in a list. */
    private static final long BYTES_PER_MATCH = 72;

    private final ConsumerContext context;
    private final Runnable onMatched;
    private ResolvedTopics subscribed = ResolvedTopics.NONE;
    private Map<String, List<Topic>> matches = new TreeMap<>();
    private long version = -1;
    private long refreshNotBefore = Long.MIN_VALUE;
    private long matchedVersion = -1;
    /** Of the rules of access, at the last search for a member to which they apply. */
    private long matchedRules;

    private long rematchNotBefore = Long.MIN_VALUE;
    private Set<String> regexes = Set.of();
    /** The members' subscriptions, and perhaps those of members that left since the last {@link #refresh}. */
    private Set<Subscription> subscriptions = new HashSet<>();

    /** The number of names in all of them. */
    private int names;

    private boolean newSubscription;
    private boolean matching;
    /** Of the last member that sent a heartbeat while the group has regular expressions. */
    private @Nullable Access access;
    /** After a restart, until the topics of the last target assignment are known again. */
    private boolean unknownSinceRestart;

    /** Also read by the thread that matches. */
    private volatile boolean closed;

    /** The heap bytes that are counted for it. */
    private long countedBytes;

    /** @param onMatched called when regular expressions have been matched and the topics may have changed */
    GroupTopics(ConsumerContext context, Runnable onMatched) {
        this.context = context;
        this.onMatched = onMatched;
    }

    /** Registers the subscription of the member, which may be new or shared with other members. */
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
     * @return whether it did; then the queues that members may have can differ
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
        // Members with unknown expressions may have left.
        unknownSinceRestart &= !matches.keySet().containsAll(regexes);
        return true;
    }

    private static Set<String> regexesOf(Collection<ConsumerMember> members) {
        Set<String> found = new TreeSet<>();
        members.forEach(member -> found.add(member.subscription.regex()));
        found.remove("");
        return found;
    }

    /** A member is there, perhaps with a new regular expression. Topics are searched for with its rights. */
    void seen(Access newAccess, @Nullable String regex) {
        if (!regexes.isEmpty() || (regex != null && !regex.isEmpty())) {
            access = newAccess;
        }
    }

    /** Starts a search if there are new regular expressions, or if topics or rules of access have changed. */
    void matchRegexes() {
        Access present = access;
        if (matching || closed || regexes.isEmpty() || present == null) {
            return;
        }
        long now = context.group().clock().elapsedMillis();
        long currentVersion = context.topics().changes();
        // Rules do not concern a member that may do everything.
        long currentRules = present.isUnlimited() ? matchedRules : present.version();
        boolean changed = currentVersion != matchedVersion || currentRules != matchedRules;
        boolean due = changed && now >= rematchNotBefore;
        if (!due && matches.keySet().containsAll(regexes)) {
            return;
        }
        matching = true;
        matchedVersion = currentVersion;
        matchedRules = currentRules;
        rematchNotBefore =
                now + MIN_REFRESH_MILLIS + context.topics().size() * REMATCH_MICROS_PER_TOPIC / MICROS_PER_MILLI;
        context.matcher().match(new Search(regexes, present, () -> !closed, this::matched));
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
            LIMIT.log(more -> LOG.warn(
                    "The regular expressions of a group match nothing now: rivulet.groups.bytes has no room for what "
                            + "they match, {} bytes{}",
                    bytes,
                    more));
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

    /** @throws RefusedException if the group has several subscriptions and would have too many names */
    void requireRoomFor(@Nullable List<String> moreNames) {
        if (moreNames != null && subscriptions.size() > 1 && names + (long) moreNames.size() > MAX_NAMES) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "The different subscriptions of the group have " + names + " names of topics; the limit is "
                            + MAX_NAMES + ".");
        }
    }

    /** @throws RefusedException if this is one more regular expression than the group may have */
    void requireRoomFor(@Nullable String regex) {
        if (regex != null && !regex.isEmpty() && regexes.size() >= MAX_REGEXES && !regexes.contains(regex)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "The group has " + regexes.size() + " different regular expressions, which is the limit.");
        }
    }

    /**
     * The group was restored from the log. Its assignment must not change until the subscribed topics are known again.
     * Those with names are known at once to those who describe or read the assignment.
     */
    void afterRestart(Collection<ConsumerMember> members, OwnedQueues owned) {
        members.forEach(this::subscribed);
        subscribed = ResolvedTopics.of(subscriptions, matches, context.topics(), subscribed, owned);
        count(subscribed.heapBytes());
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

    /** Checks each different subscription. They are few, however many members and topics there are. */
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
