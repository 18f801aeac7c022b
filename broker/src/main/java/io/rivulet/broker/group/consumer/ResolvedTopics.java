package io.rivulet.broker.group.consumer;

import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of a group, resolved at one moment: the queues that each allows, and the topic and partition of
 * each queue. Immutable; takes about 100 bytes for each topic.
 */
public final class ResolvedTopics {
    public static final ResolvedTopics NONE = new ResolvedTopics(Map.of(), List.of());

    /** The run, its topic and its slot in the list. */
    static final long BYTES_PER_RUN = 100;

    private record Run(int firstQueueId, int count, Topic topic, int firstPartition) {}

    private record Resolved(Subscription subscription, QueueSet allowed) {}

    private final Map<Subscription, Resolved> bySubscription;
    /** In the order of queue ids. */
    private final List<Run> runs;

    private ResolvedTopics(Map<Subscription, Resolved> bySubscription, Collection<Topic> topics) {
        this.bySubscription = bySubscription;
        this.runs = new ArrayList<>(topics.size());
        topics.forEach(topic -> {
            int[] partition = {0};
            topic.forEachRange((first, count) -> {
                runs.add(new Run(first, count, topic, partition[0]));
                partition[0] += count;
            });
        });
        runs.sort(Comparator.comparingInt(Run::firstQueueId));
    }

    /** The topics of names alone; those that no subscription has are unknown. */
    public static ResolvedTopics of(Collection<Subscription> subscriptions, TopicCatalogue catalogue) {
        return of(subscriptions, Map.of(), catalogue, NONE, new OwnedQueues());
    }

    /**
     * @param matches the topics that each regular expression matches; no key for one that was not searched for yet
     * @param before the previous result; its topics in {@code owned} stay known even if no subscription has them
     */
    static ResolvedTopics of(
            Collection<Subscription> subscriptions,
            Map<String, List<Topic>> matches,
            TopicCatalogue catalogue,
            ResolvedTopics before,
            OwnedQueues owned) {
        Map<Uuid, Topic> known = new HashMap<>();
        Map<Subscription, Resolved> bySubscription = new HashMap<>();
        for (Subscription subscription : subscriptions) {
            QueueSet.Builder queues = new QueueSet.Builder();
            for (String name : subscription.names()) {
                add(catalogue.find(name), known, queues);
            }
            for (Topic topic : matches.getOrDefault(subscription.regex(), List.of())) {
                add(catalogue.find(topic.id()), known, queues);
            }
            bySubscription.put(subscription, new Resolved(subscription, queues.build()));
        }
        for (Run run : before.runs) {
            if (!known.containsKey(run.topic.id())
                    && !owned.among(QueueSet.range(run.firstQueueId, run.count)).isEmpty()) {
                add(catalogue.find(run.topic.id()), known, new QueueSet.Builder());
            }
        }
        return new ResolvedTopics(bySubscription, known.values());
    }

    private static void add(@Nullable Topic topic, Map<Uuid, Topic> known, QueueSet.Builder queues) {
        if (topic != null) {
            known.put(topic.id(), topic);
            topic.forEachRange(queues::addRange);
        }
    }

    public long heapBytes() {
        return BYTES_PER_RUN * runs.size();
    }

    /** Null if the subscription was not resolved. */
    public @Nullable QueueSet allowedBy(Subscription subscription) {
        Resolved resolved = bySubscription.get(subscription);
        return resolved == null ? null : resolved.allowed;
    }

    /** The instance that members with an equal subscription share. */
    public Subscription shared(Subscription subscription) {
        Resolved resolved = bySubscription.get(subscription);
        return resolved == null ? subscription : resolved.subscription;
    }

    /** The queues of each topic, in the order of their lowest ids. */
    List<QueueSet> queuesByTopic() {
        Map<Uuid, QueueSet.Builder> topics = new LinkedHashMap<>();
        runs.forEach(run -> topics.computeIfAbsent(run.topic.id(), id -> new QueueSet.Builder())
                .addRange(run.firstQueueId, run.count));
        return topics.values().stream().map(QueueSet.Builder::build).toList();
    }

    /**
     * The partitions of the queues, by topic. Queues of unknown or deleted topics are omitted.
     *
     * @param make builds an element from a topic and its partitions; called at each access, because partitions may be
     *     millions
     */
    public <T> List<T> byTopic(QueueSet queues, BiFunction<Topic, int[], T> make) {
        List<Map.Entry<Topic, List<int[]>>> found =
                List.copyOf(rangesByTopic(queues).entrySet());
        return new LazyList<>(
                found.size(),
                i -> make.apply(found.get(i).getKey(), partitions(found.get(i).getValue())));
    }

    /** First partition and count, for each topic. */
    private Map<Topic, List<int[]>> rangesByTopic(QueueSet queues) {
        Map<Topic, List<int[]>> found = new LinkedHashMap<>();
        queues.forEachRange((first, count) -> {
            int end = first + count;
            for (int i = runAt(first); i < runs.size() && runs.get(i).firstQueueId < end; i++) {
                Run run = runs.get(i);
                int from = Math.max(first, run.firstQueueId);
                int to = Math.min(end, run.firstQueueId + run.count);
                if (from < to) {
                    found.computeIfAbsent(run.topic, topic -> new ArrayList<>())
                            .add(new int[] {run.firstPartition + from - run.firstQueueId, to - from});
                }
            }
        });
        return found;
    }

    private static int[] partitions(List<int[]> ranges) {
        int[] partitions = new int[ranges.stream().mapToInt(range -> range[1]).sum()];
        int filled = 0;
        for (int[] range : ranges) {
            for (int i = 0; i < range[1]; i++) {
                partitions[filled++] = range[0] + i;
            }
        }
        return partitions;
    }

    /** The run that holds the queue, or the next one. */
    private int runAt(int queueId) {
        int low = 0;
        int high = runs.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (runs.get(middle).firstQueueId + runs.get(middle).count <= queueId) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
