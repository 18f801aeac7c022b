package io.rivulet.broker.group.streams;

import io.rivulet.broker.topic.Topic;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A topology with the topics that exist: which tasks there are, or why there are none. Immutable.
 *
 * @param problem null if the topology is ready: then its tasks can be assigned
 * @param tasks the number of tasks of each subtopology; empty if source topics are missing or do not fit
 * @param counts the number of partitions of each internal topic; empty if source topics are missing or do not fit
 * @param toCreate internal topics that are missing
 * @param inputs the topics that tasks read, as far as they exist
 * @param version of the catalogue that the topics are from, or an earlier one
 * @param hash changes when one of the topics appears, disappears or gets more partitions
 */
record ConfiguredTopology(
        Topology topology,
        @Nullable Problem problem,
        Map<String, Integer> tasks,
        Map<String, Integer> counts,
        List<InternalTopic> toCreate,
        Map<String, Topic> inputs,
        long version,
        long hash) {

    /** Why there are no tasks yet. */
    record Problem(StreamsStatus status, String detail) {}

    boolean isReady() {
        return problem == null;
    }

    /** Whether there is such a task. */
    boolean hasTask(String subtopology, int partition) {
        Integer count = tasks.get(subtopology);
        return count != null && partition >= 0 && partition < count;
    }
}
