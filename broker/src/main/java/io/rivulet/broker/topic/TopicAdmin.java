package io.rivulet.broker.topic;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.Store;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Changes of topics: queues first, then the entry that makes them partitions of a topic; the other way round for a deletion. A crash
 * in between leaves queues that nobody owns, which the next start deletes ({@link OrphanQueues}).
 *
 * <p>Thread-safe. What it answers is completed on the log-writer thread, when the change is durable and in the catalogue.
 */
public final class TopicAdmin {
    private final Store store;
    private final TopicCatalogue topics;
    private final int maxQueues;
    /** Names that are taken by a creation or an addition of partitions on its way. */
    private final ConcurrentHashMap<String, CompletableFuture<Topic>> underWay = new ConcurrentHashMap<>();

    public TopicAdmin(Store store, TopicCatalogue topics, int maxQueues) {
        this.store = store;
        this.topics = topics;
        this.maxQueues = maxQueues;
    }

    /** @throws RefusedException when {@link #create} would refuse it right away */
    public void requireCreatable(NewTopic wish) {
        TopicNames.require(wish.name());
        if (topics.find(wish.name()) != null) {
            throw alreadyExists(wish.name());
        }
        requireRoomFor(wish.partitions());
    }

    public CompletionStage<Topic> create(NewTopic wish) {
        requireCreatable(wish);
        CompletableFuture<Topic> created = new CompletableFuture<>();
        if (underWay.putIfAbsent(wish.name(), created) != null) {
            throw alreadyExists(wish.name());
        }
        return finish(wish.name(), created, () -> {
            // It may have come into being between the check and the reservation.
            requireCreatable(wish);
            UUID random = UUID.randomUUID();
            Uuid id = new Uuid(random.getMostSignificantBits(), random.getLeastSignificantBits());
            return store.createQueues(wish.partitions(), 0)
                    .thenCompose(first -> append(
                            TopicEntryLayout.created(id, wish.name(), first, wish.partitions(), wish.configs())));
        });
    }

    /** The topic that is there or is being created, or else a new one. */
    public CompletionStage<Topic> findOrCreate(NewTopic wish) {
        Topic there = topics.find(wish.name());
        if (there != null) {
            return CompletableFuture.completedFuture(there);
        }
        CompletableFuture<Topic> onItsWay = underWay.get(wish.name());
        if (onItsWay != null) {
            return onItsWay;
        }
        try {
            return create(wish);
        } catch (RefusedException e) {
            if (e.code() == ErrorCode.TOPIC_ALREADY_EXISTS) {
                return findOrCreate(wish);
            }
            throw e;
        }
    }

    public CompletionStage<Topic> addPartitions(Topic topic, int newCount) {
        requireRoomFor(newCount - topic.partitionCount());
        CompletableFuture<Topic> changed = new CompletableFuture<>();
        if (underWay.putIfAbsent(topic.name(), changed) != null) {
            throw new RefusedException(ErrorCode.REQUEST_TIMED_OUT, "another change of the topic is on its way");
        }
        return finish(topic.name(), changed, () -> {
            int before = topic.partitionCount();
            return store.createQueues(newCount - before, 0)
                    .thenCompose(first ->
                            append(TopicEntryLayout.partitionsAdded(topic.id(), before, first, newCount - before)));
        });
    }

    public CompletionStage<Integer> setConfigs(Topic topic, Map<String, String> configs) {
        return append(TopicEntryLayout.configsSet(topic.id(), configs));
    }

    public CompletionStage<Integer> delete(Topic topic) {
        CompletionStage<Integer> deleted = append(TopicEntryLayout.deleted(topic.id()));
        return deleted.thenApply(bytes -> {
            topic.forEachRange((first, count) -> store.deleteQueues(first, count));
            return bytes;
        });
    }

    /** Gives the cluster its id, on the first start of all. */
    public CompletionStage<Integer> nameCluster() {
        UUID random = UUID.randomUUID();
        Uuid id = new Uuid(random.getMostSignificantBits(), random.getLeastSignificantBits());
        return append(TopicEntryLayout.clusterNamed(id.toString()));
    }

    private CompletionStage<Integer> append(ByteBuffer entry) {
        return store.appendState(TopicCatalogue.VIEW_ID, entry);
    }

    /** Runs the change under the reservation of the name, which ends with it. */
    private CompletionStage<Topic> finish(
            String name, CompletableFuture<Topic> reservation, Supplier<CompletionStage<Integer>> change) {
        try {
            change.get().whenComplete((done, failure) -> {
                Topic topic = topics.find(name);
                underWay.remove(name, reservation);
                if (failure != null) {
                    reservation.completeExceptionally(failure);
                } else if (topic == null) {
                    reservation.completeExceptionally(new RefusedException(
                            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "the topic was deleted meanwhile"));
                } else {
                    reservation.complete(topic);
                }
            });
        } catch (RefusedException e) {
            underWay.remove(name, reservation);
            reservation.completeExceptionally(e);
        }
        return reservation;
    }

    private void requireRoomFor(int partitions) {
        if (partitions > maxQueues - store.liveQueues()) {
            throw new RefusedException(
                    ErrorCode.INVALID_PARTITIONS,
                    partitions + " more partitions are more than rivulet.max.queues (" + maxQueues
                            + ") allows; there are " + store.liveQueues());
        }
    }

    private static RefusedException alreadyExists(String name) {
        return new RefusedException(ErrorCode.TOPIC_ALREADY_EXISTS, "topic '" + name + "' already exists");
    }
}
