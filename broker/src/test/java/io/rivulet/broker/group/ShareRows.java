package io.rivulet.broker.group;

import io.rivulet.broker.group.consumer.QueueSet;
import io.rivulet.broker.group.share.ShareStates;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Start offsets of share groups in memory. Each queue ends at offset 100. */
public final class ShareRows implements ShareStates {
    /** By group and queue. */
    public final TreeMap<String, TreeMap<Integer, Long>> rows = new TreeMap<>();

    @Override
    public Position read(String groupId, int queueId) {
        Long start = rows.getOrDefault(groupId, new TreeMap<>()).get(queueId);
        return start == null ? Position.NONE : new Position(start, 0, 100 - start);
    }

    @Override
    public void alter(String groupId, Iterable<Start> starts, Consumer<@Nullable Throwable> done) {
        starts.forEach(
                start -> rows.computeIfAbsent(groupId, id -> new TreeMap<>()).put(start.queueId(), start.offset()));
        done.accept(null);
    }

    @Override
    public void delete(String groupId, QueueSet queues, Consumer<@Nullable Throwable> done) {
        rows.getOrDefault(groupId, new TreeMap<>()).keySet().removeIf(queues::contains);
        done.accept(null);
    }

    @Override
    public void deleteGroup(String groupId, Consumer<@Nullable Throwable> done) {
        rows.remove(groupId);
        done.accept(null);
    }
}
