package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.streams.Topology.Subtopology;
import io.rivulet.broker.topic.Topic;
import java.util.Map;
import java.util.TreeMap;

/** Finds the task that reads a queue. Immutable. */
final class TaskQueues {
    private record Range(String subtopology, int firstPartition, int count) {}

    static final TaskQueues NONE = new TaskQueues();

    /** By the first queue id. */
    private final TreeMap<Integer, Range> ranges = new TreeMap<>();

    private TaskQueues() {}

    TaskQueues(ConfiguredTopology topics) {
        for (Subtopology part : topics.topology().subtopologies().values()) {
            for (String name : part.inputs()) {
                Topic topic = topics.inputs().get(name);
                if (topic != null) {
                    add(part.id(), topic);
                }
            }
        }
    }

    private void add(String subtopology, Topic topic) {
        int[] partition = {0};
        topic.forEachRange((first, count) -> {
            ranges.putIfAbsent(first, new Range(subtopology, partition[0], count));
            partition[0] += count;
        });
    }

    /** Whether the member that got the active tasks in these epochs got the queue's task in that epoch or before. */
    boolean hadSince(TaskEpochs since, int queueId, int epoch) {
        Map.Entry<Integer, Range> found = ranges.floorEntry(queueId);
        if (found == null || queueId - found.getKey() >= found.getValue().count()) {
            return false;
        }
        Range range = found.getValue();
        return since.hasSince(range.subtopology(), range.firstPartition() + queueId - found.getKey(), epoch);
    }
}
