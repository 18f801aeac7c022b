package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.CopartitionGroup;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The topology of an application, as its members send it, within {@link TopologyLimits}. Immutable.
 *
 * @param subtopologies by id, in the order of ids
 */
record Topology(int epoch, Map<String, Subtopology> subtopologies) {
    /**
     * A part of the topology whose tasks need no other part.
     *
     * @param sources topics of the user
     * @param repartitionSinks topics that it writes for other subtopologies
     * @param repartitionSources topics that other subtopologies write for it
     * @param copartitioned sets of topics that need the same number of partitions
     */
    record Subtopology(
            String id,
            List<String> sources,
            List<InternalTopic> changelogs,
            List<String> repartitionSinks,
            List<InternalTopic> repartitionSources,
            List<List<String>> copartitioned) {

        /** All topics that its tasks read. */
        Set<String> inputs() {
            Set<String> inputs = new LinkedHashSet<>(sources);
            repartitionSources.forEach(topic -> inputs.add(topic.name()));
            return inputs;
        }

        boolean isStateful() {
            return !changelogs.isEmpty();
        }
    }

    /** All topics that tasks read. */
    Set<String> inputs() {
        Set<String> inputs = new LinkedHashSet<>();
        subtopologies.values().forEach(part -> inputs.addAll(part.inputs()));
        return inputs;
    }

    // ---- from a request ----

    /** @throws RefusedException if no such topology can exist */
    static Topology of(StreamsGroupHeartbeatRequest.Topology sent) {
        Map<String, Subtopology> parts = new TreeMap<>();
        require(sent.epoch() >= 0, "The epoch of the topology is negative: " + sent.epoch() + ".");
        for (StreamsGroupHeartbeatRequest.Subtopology part : sent.subtopologies()) {
            Subtopology known = subtopology(part);
            require(parts.put(known.id, known) == null, "Subtopology " + known.id + " is there twice.");
            require(!known.inputs().isEmpty(), "Subtopology " + known.id + " has no source topics.");
        }
        require(!parts.isEmpty(), "The topology is empty.");
        return new Topology(sent.epoch(), parts);
    }

    private static Subtopology subtopology(StreamsGroupHeartbeatRequest.Subtopology part) {
        List<InternalTopic> changelogs = internalTopics(part.stateChangelogTopics());
        for (InternalTopic changelog : changelogs) {
            require(
                    changelog.partitions() == 0,
                    "Changelog topic " + changelog.name() + " must have an undefined partition count, but it is set to "
                            + changelog.partitions() + ".");
        }
        List<List<String>> copartitioned = new ArrayList<>();
        List<String> repartitioned = part.repartitionSourceTopics().stream()
                .map(StreamsGroupHeartbeatRequest.TopicInfo::name)
                .toList();
        for (CopartitionGroup group : part.copartitionGroups()) {
            List<String> names = new ArrayList<>();
            addNamed(names, part.sourceTopics(), group.sourceTopics());
            addNamed(names, repartitioned, group.repartitionSourceTopics());
            copartitioned.add(List.copyOf(names));
        }
        return new Subtopology(
                part.subtopologyId(),
                List.copyOf(part.sourceTopics()),
                changelogs,
                List.copyOf(part.repartitionSinkTopics()),
                internalTopics(part.repartitionSourceTopics()),
                List.copyOf(copartitioned));
    }

    private static void addNamed(List<String> names, List<String> topics, short[] indexes) {
        for (short index : indexes) {
            require(index >= 0 && index < topics.size(), "A copartition group has a wrong index: " + index + ".");
            names.add(topics.get(index));
        }
    }

    private static List<InternalTopic> internalTopics(List<StreamsGroupHeartbeatRequest.TopicInfo> infos) {
        List<InternalTopic> topics = new ArrayList<>();
        for (StreamsGroupHeartbeatRequest.TopicInfo info : infos) {
            require(info.partitions() >= 0, "Topic " + info.name() + " has a wrong number of partitions.");
            Map<String, String> configs = new TreeMap<>();
            info.topicConfigs().forEach(config -> configs.put(config.key(), config.value()));
            topics.add(new InternalTopic(info.name(), info.partitions(), info.replicationFactor(), configs));
        }
        return List.copyOf(topics);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new RefusedException(ErrorCode.STREAMS_INVALID_TOPOLOGY, otherwise);
        }
    }
}
