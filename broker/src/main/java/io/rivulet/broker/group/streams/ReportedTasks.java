package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TaskIds;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that a member reports to have. Immutable.
 *
 * @param own those that the group has given to it: they decide what comes next
 * @param others whether it reports others too; they are not kept, so a request takes no memory for them
 */
record ReportedTasks(Tasks own, boolean others) {
    /** Null if the member reports nothing. */
    static @Nullable ReportedTasks of(StreamsGroupHeartbeatRequest request, StreamsMember member) {
        if (request.activeTasks() == null || request.standbyTasks() == null) {
            return null;
        }
        Tasks owned = member.owned();
        Tasks own =
                new Tasks(among(owned.active(), request.activeTasks()), among(owned.standby(), request.standbyTasks()));
        boolean others =
                hasOthers(owned.active(), request.activeTasks()) || hasOthers(owned.standby(), request.standbyTasks());
        return new ReportedTasks(own, others);
    }

    private static TaskSet among(TaskSet owned, List<TaskIds> reported) {
        Map<String, BitSet> found = new TreeMap<>(); // A request may have a task many times.
        for (TaskIds part : reported) {
            for (int partition : part.partitions()) {
                if (owned.contains(part.subtopologyId(), partition)) {
                    found.computeIfAbsent(part.subtopologyId(), id -> new BitSet())
                            .set(partition);
                }
            }
        }
        TaskSet.Builder own = new TaskSet.Builder();
        found.forEach((id, partitions) -> partitions.stream().forEach(partition -> own.add(id, partition)));
        return own.build();
    }

    private static boolean hasOthers(TaskSet owned, List<TaskIds> reported) {
        for (TaskIds part : reported) {
            for (int partition : part.partitions()) {
                if (!owned.contains(part.subtopologyId(), partition)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** @throws RefusedException if the request has tasks that the topology does not have */
    static void require(ConfiguredTopology topics, StreamsGroupHeartbeatRequest request) {
        requireAll(topics, request.activeTasks());
        requireAll(topics, request.standbyTasks());
    }

    private static void requireAll(ConfiguredTopology topics, @Nullable List<TaskIds> reported) {
        for (TaskIds part : reported == null ? List.<TaskIds>of() : reported) {
            String id = part.subtopologyId();
            if (topics.isReady() && !topics.tasks().containsKey(id)) {
                throw new RefusedException(
                        ErrorCode.INVALID_REQUEST, "Subtopology " + id + " does not exist in the topology.");
            }
            for (int partition : part.partitions()) {
                if (partition < 0 || (topics.isReady() && !topics.hasTask(id, partition))) {
                    throw new RefusedException(
                            ErrorCode.INVALID_REQUEST,
                            "Task " + partition + " for subtopology " + id + " is invalid."
                                    + (topics.isReady()
                                            ? " Number of tasks for this subtopology: "
                                                    + topics.tasks().get(id)
                                            : ""));
                }
            }
        }
    }
}
