package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Commit;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What may be committed at a time. Members of a group commit rising offsets only. Immutable. */
final class GroupOffsets {
    /**
     * @param startNanos before this it can't have had an effect
     * @param endNanos after this it has had its effect; {@link Long#MAX_VALUE} if that is not known
     */
    private record One(String group, long offset, long startNanos, long endNanos) {}

    private final Map<String, List<One>> byPartition = new HashMap<>();

    GroupOffsets(List<Write> writes, List<Commit> commits) {
        for (Write write : writes) {
            if (write.result() != Result.FAIL) {
                boolean isDone = write.result() == Result.OK;
                add(write.group(), write.commits(), write.endNanos(), isDone ? write.doneNanos() : Long.MAX_VALUE);
            }
        }
        for (Commit commit : commits) {
            if (commit.result() != Result.FAIL) {
                boolean isDone = commit.result() == Result.OK;
                add(commit.group(), commit.offsets(), commit.startNanos(), isDone ? commit.endNanos() : Long.MAX_VALUE);
            }
        }
    }

    private void add(String group, Map<String, Long> offsets, long startNanos, long endNanos) {
        offsets.forEach((partition, offset) -> byPartition
                .computeIfAbsent(partition, name -> new ArrayList<>())
                .add(new One(group, offset, startNanos, endNanos)));
    }

    /** The highest offset that was committed for sure; 0 if there is none. */
    long atLeast(String group, String partition, long atNanos) {
        return byPartition.getOrDefault(partition, List.of()).stream()
                .filter(one -> one.group.equals(group) && one.endNanos <= atNanos)
                .mapToLong(One::offset)
                .max()
                .orElse(0);
    }

    /** The highest offset that may be committed by then. */
    long atMost(String group, String partition, long atNanos) {
        return byPartition.getOrDefault(partition, List.of()).stream()
                .filter(one -> one.group.equals(group) && one.startNanos <= atNanos)
                .mapToLong(One::offset)
                .max()
                .orElse(0);
    }
}
