package io.rivulet.broker.topic;

import io.rivulet.store.Store;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;

/**
 * Queues without a topic, left by a crash between the two entries of a creation or deletion. A start searches for them
 * once. Stateless.
 */
public final class OrphanQueues {
    private OrphanQueues() {}

    /** Deletes all of them; completes when that is durable. */
    public static CompletionStage<Void> delete(Store store, TopicCatalogue topics) {
        List<CompletableFuture<?>> deletions = new ArrayList<>();
        find(topics, store.liveQueues(), Integer.MAX_VALUE, store::exists)
                .forEach((first, count) ->
                        deletions.add(store.deleteQueues(first, count).toCompletableFuture()));
        return CompletableFuture.allOf(deletions.toArray(CompletableFuture[]::new));
    }

    /**
     * Finds all of them.
     *
     * @param live an upper bound for the number of queues that exist
     * @param idLimit higher than the id of every queue
     */
    static QueueRanges find(TopicCatalogue topics, int live, int idLimit, IntPredicate exists) {
        BitSet owned = new BitSet();
        topics.forEach(topic -> topic.forEachRange((first, count) -> owned.set(first, first + count)));
        QueueRanges orphans = new QueueRanges();
        for (int queueId = 0, seen = 0; seen < live && queueId < idLimit; queueId++) {
            if (exists.test(queueId)) {
                seen++;
                if (!owned.get(queueId)) {
                    orphans.add(queueId, 1);
                }
            }
        }
        return orphans;
    }
}
