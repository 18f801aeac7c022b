package io.rivulet.broker.topic;

import io.rivulet.store.Store;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Queues without a topic, left by a crash between the two entries of a creation or deletion. A start searches for them
 * once. Stateless.
 */
public final class OrphanQueues {
    private OrphanQueues() {}

    /** Deletes all of them; completes when that is durable. */
    public static CompletionStage<Void> delete(Store store, TopicCatalogue topics) {
        BitSet owned = new BitSet();
        topics.forEach(topic -> topic.forEachRange((first, count) -> owned.set(first, first + count)));
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        int live = store.liveQueues();
        int runStart = -1;
        for (int queueId = 0, seen = 0; seen < live || runStart >= 0; queueId++) {
            boolean exists = seen < live && store.exists(queueId);
            seen += exists ? 1 : 0;
            boolean orphan = exists && !owned.get(queueId);
            if (orphan && runStart < 0) {
                runStart = queueId;
            } else if (!orphan && runStart >= 0) {
                CompletionStage<Integer> deleted = store.deleteQueues(runStart, queueId - runStart);
                all = CompletableFuture.allOf(all, deleted.toCompletableFuture());
                runStart = -1;
            }
        }
        return all;
    }
}
