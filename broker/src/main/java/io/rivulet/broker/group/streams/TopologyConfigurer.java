package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.streams.ConfiguredTopology.Problem;
import io.rivulet.broker.group.streams.Topology.Subtopology;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the topics of a topology, and computes the number of partitions of its internal topics, as Kafka does:
 *
 * <ol>
 *   <li>A repartition topic has the number that the application asks for, or else as many as the largest topic that the
 *       subtopologies read which write it.
 *   <li>Then topics of a copartition group get the same number, or do not fit.
 *   <li>A changelog topic has as many partitions as its subtopology has tasks. That is the number of partitions of the
 *       largest topic that the subtopology reads.
 * </ol>
 *
 * <p>Owned by: one call. Coordinator thread.
 */
final class TopologyConfigurer {
    /** Bounds the time of one assignment. */
    static final int MAX_TASKS = 200_000;

    private final Topology topology;
    private final long version;
    private final Map<String, Topic> existing = new LinkedHashMap<>();
    private final Map<String, InternalTopic> repartition = new TreeMap<>();
    private final Map<String, InternalTopic> changelogs = new TreeMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Map<String, Integer> tasks = new TreeMap<>();

    /** Topics that do not fit. */
    private static final class MisfitException extends Exception {
        private static final long serialVersionUID = 1;

        MisfitException(String message) {
            super(message);
        }
    }

    private TopologyConfigurer(Topology topology, TopicCatalogue topics) {
        this.topology = topology;
        this.version = topics.changes();
        for (Subtopology part : topology.subtopologies().values()) {
            part.inputs().forEach(name -> find(name, topics));
            part.repartitionSources().forEach(topic -> repartition.put(topic.name(), topic));
            Set<String> sources = Set.copyOf(part.sources());
            for (InternalTopic changelog : part.changelogs()) {
                // A source topic may serve as changelog; it is not created.
                if (!sources.contains(changelog.name())) {
                    changelogs.put(changelog.name(), changelog);
                    find(changelog.name(), topics);
                }
            }
        }
    }

    private void find(String name, TopicCatalogue topics) {
        Topic topic = topics.find(name);
        if (topic != null) {
            existing.put(name, topic);
        }
    }

    /** @throws RefusedException if the topology can't work with any topics, or has too many tasks */
    static ConfiguredTopology configure(Topology topology, TopicCatalogue topics) {
        return new TopologyConfigurer(topology, topics).configure();
    }

    private ConfiguredTopology configure() {
        String missing = missingSources();
        if (missing != null) {
            return withoutTasks(new Problem(StreamsStatus.MISSING_SOURCE_TOPICS, missing));
        }
        try {
            countRepartitionTopics();
            for (Subtopology part : topology.subtopologies().values()) {
                for (List<String> group : part.copartitioned()) {
                    copartition(group);
                }
            }
            countTasks();
            List<InternalTopic> toCreate = missingInternalTopics();
            Problem problem = toCreate.isEmpty() ? null : missing(toCreate);
            return new ConfiguredTopology(topology, problem, tasks, counts, toCreate, inputs(), version, hash());
        } catch (MisfitException e) {
            return withoutTasks(
                    new Problem(StreamsStatus.INCORRECTLY_PARTITIONED_TOPICS, String.valueOf(e.getMessage())));
        }
    }

    private ConfiguredTopology withoutTasks(Problem problem) {
        return new ConfiguredTopology(topology, problem, Map.of(), Map.of(), List.of(), inputs(), version, hash());
    }

    private Map<String, Topic> inputs() {
        Map<String, Topic> inputs = new HashMap<>();
        for (String name : topology.inputs()) {
            Topic topic = existing.get(name);
            if (topic != null) {
                inputs.put(name, topic);
            }
        }
        return inputs;
    }

    private long hash() {
        long hash = topology.epoch();
        for (Map.Entry<String, Topic> entry : existing.entrySet()) {
            long id = entry.getValue().id().mostSignificantBits()
                    ^ entry.getValue().id().leastSignificantBits();
            hash = hash * 31 + (id ^ entry.getValue().partitionCount());
        }
        return hash;
    }

    // ---- source topics ----

    private @Nullable String missingSources() {
        TreeSet<String> missing = new TreeSet<>();
        for (Subtopology part : topology.subtopologies().values()) {
            for (String source : part.sources()) {
                if (!existing.containsKey(source) && !repartition.containsKey(source)) {
                    missing.add(source);
                }
            }
        }
        return missing.isEmpty() ? null : "Source topics " + String.join(", ", missing) + " are missing.";
    }

    /** The number of partitions that the topic has or gets; 0 if that is not known yet. */
    private int count(String name) {
        Integer decided = counts.get(name);
        Topic topic = existing.get(name);
        return decided != null ? decided : topic == null || repartition.containsKey(name) ? 0 : topic.partitionCount();
    }

    // ---- repartition topics ----

    private void countRepartitionTopics() {
        for (InternalTopic topic : repartition.values()) {
            if (topic.partitions() > 0) {
                counts.put(topic.name(), topic.partitions());
            }
        }
        new RepartitionCounts(topology, this::count, counts).complete(repartition.keySet());
    }

    private void copartition(List<String> group) throws MisfitException {
        Map<String, Integer> given = new TreeMap<>();
        Map<String, Integer> fixed = new TreeMap<>();
        int most = 0;
        for (String name : group) {
            InternalTopic topic = repartition.get(name);
            if (topic == null) {
                given.put(name, count(name));
            } else if (topic.partitions() > 0) {
                fixed.put(name, topic.partitions());
            }
            most = Math.max(most, count(name));
        }
        requireSame(given, "The source topics are not copartitioned: ");
        requireSame(fixed, "The repartition topics do not have the same number of partitions: ");
        int wanted = !given.isEmpty()
                ? given.values().iterator().next()
                : !fixed.isEmpty() ? fixed.values().iterator().next() : most;
        for (Map.Entry<String, Integer> topic : fixed.entrySet()) {
            if (topic.getValue() != wanted) {
                // Kafka's words: applications look for them.
                throw new MisfitException("Number of partitions [" + topic.getValue() + "] of repartition topic ["
                        + topic.getKey() + "] doesn't match number of partitions [" + wanted
                        + "] of the source topic.");
            }
        }
        for (String name : group) {
            InternalTopic topic = repartition.get(name);
            if (topic != null && topic.partitions() == 0) {
                counts.put(name, wanted);
            }
        }
    }

    private static void requireSame(Map<String, Integer> partitions, String otherwise) throws MisfitException {
        if (partitions.values().stream().distinct().count() > 1) {
            throw new MisfitException(otherwise + partitions + ".");
        }
    }

    // ---- tasks and changelogs ----

    private void countTasks() {
        long all = 0;
        for (Subtopology part : topology.subtopologies().values()) {
            int most = 0;
            for (String input : part.inputs()) {
                most = Math.max(most, count(input));
            }
            tasks.put(part.id(), most);
            all += most;
            for (InternalTopic changelog : part.changelogs()) {
                if (changelogs.containsKey(changelog.name())) {
                    counts.put(changelog.name(), most);
                }
            }
        }
        if (all > MAX_TASKS) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "The topology has " + all + " tasks; a streams group may have " + MAX_TASKS + ".");
        }
    }

    private List<InternalTopic> missingInternalTopics() throws MisfitException {
        Map<String, InternalTopic> internal = new TreeMap<>(repartition);
        internal.putAll(changelogs);
        List<InternalTopic> missing = new ArrayList<>();
        for (InternalTopic topic : internal.values()) {
            Topic there = existing.get(topic.name());
            int wanted = counts.getOrDefault(topic.name(), 0);
            if (there == null) {
                missing.add(new InternalTopic(topic.name(), wanted, topic.replicationFactor(), topic.configs()));
            } else if (there.partitionCount() != wanted) {
                throw new MisfitException("Existing topic " + topic.name() + " has " + there.partitionCount()
                        + " partitions, and not " + wanted + ".");
            }
        }
        return missing;
    }

    private static Problem missing(List<InternalTopic> toCreate) {
        String names =
                String.join(", ", toCreate.stream().map(InternalTopic::name).toList());
        return new Problem(StreamsStatus.MISSING_INTERNAL_TOPICS, "Internal topics are missing: " + names);
    }
}
