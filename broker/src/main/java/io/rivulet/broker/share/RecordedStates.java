package io.rivulet.broker.share;

import io.rivulet.broker.group.consumer.QueueSet;
import io.rivulet.broker.group.share.ShareStates;
import io.rivulet.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the coordinator of groups sees and changes of the records of share groups. Thread-safe. */
public record RecordedStates(ShareGroups groups, int leaderEpoch) implements ShareStates {
    @Override
    public Position read(String groupId, int queueId) {
        ShareGroup group = groups.find(groupId);
        Store store = groups.store();
        if (group == null || !store.exists(queueId)) {
            return Position.NONE;
        }
        long logStart = store.startOffset(queueId);
        long logEnd = store.endOffset(queueId);
        synchronized (group) {
            long offset = group.startOffset(queueId);
            if (offset == ShareGroup.NO_ROW) {
                return Position.NONE;
            }
            long start = Math.max(offset, logStart);
            long lag = Math.max(0, logEnd - start - group.finishedCount(queueId));
            return new Position(start, leaderEpoch, lag);
        }
    }

    @Override
    public void alter(String groupId, Iterable<Start> starts, Consumer<@Nullable Throwable> done) {
        List<Start> all = new ArrayList<>();
        starts.forEach(all::add);
        int[] queueIds = all.stream().mapToInt(Start::queueId).toArray();
        long[] offsets = all.stream().mapToLong(Start::offset).toArray();
        whenDone(groups.reset(groupId, queueIds, offsets), done);
    }

    @Override
    public void delete(String groupId, QueueSet queues, Consumer<@Nullable Throwable> done) {
        int[] queueIds = new int[queues.size()];
        int[] count = new int[1];
        queues.forEachRange((first, many) -> {
            for (int i = 0; i < many; i++) {
                queueIds[count[0]++] = first + i;
            }
        });
        whenDone(groups.remove(groupId, queueIds), done);
    }

    @Override
    public void deleteGroup(String groupId, Consumer<@Nullable Throwable> done) {
        whenDone(groups.delete(groupId), done);
    }

    private static void whenDone(CompletionStage<Integer> change, Consumer<@Nullable Throwable> done) {
        var unused = change.whenComplete((stored, failure) -> done.accept(failure));
    }
}
