package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.Admission;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.Store;
import io.rivulet.store.failure.CheckedFuture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes of topics: queues first, then the entry that makes them partitions of a topic; the other way round for a deletion. A crash
 * in between leaves queues that nobody owns, which the next start deletes ({@link OrphanQueues}).
 *
 * <p>Thread-safe. What it answers is completed on the log-writer thread, when the change is durable and in the catalogue.
 */
public final class TopicAdmin {
    /** Of at most 250 bytes of name and a few configs each, they fit into a group. */
    private static final int TOPICS_PER_ENTRY = 500;

    /** Their deletions fit into a group many times over. */
    public static final int MAX_DELETED_AT_ONCE = 5_000;

    private final Store store;
    private final TopicCatalogue topics;
    /** Queues that are there, and those of creations on their way. */
    private final Admission queues;

    private final QueueIds ids;
    /** Heap that topics and queues take, and those that are on their way. */
    private final Admission heap;
    /** Deleted topics whose queues are still to be deleted, as they were at their end. */
    private final Queue<Topic> removed = new ConcurrentLinkedQueue<>();

    private final Topic.RangeVisitor goneQueues;
    private final RetentionClasses classes;
    /** Names that are taken by a creation or an addition of partitions on its way. */
    private final ConcurrentHashMap<String, CompletableFuture<Topic>> underWay = new ConcurrentHashMap<>();

    /**
     * @param maxBytes what topics and queues may take of the heap
     * @param goneQueues is told of queues whose topic has been deleted; on the log-writer thread
     */
    public TopicAdmin(Store store, TopicCatalogue topics, int maxQueues, long maxBytes, Topic.RangeVisitor goneQueues) {
        this.store = store;
        this.topics = topics;
        this.queues = new Admission(maxQueues, store::liveQueues);
        this.ids = new QueueIds(store::idLimit, System::nanoTime);
        this.heap = new Admission(maxBytes, () -> store.queueBytes() + topics.heapBytes());
        this.goneQueues = goneQueues;
        topics.onRemoved(removed::add);
        this.classes = new RetentionClasses(store, topics);
    }

    /** @throws RefusedException when {@link #create} would refuse it right away */
    public void requireCreatable(NewTopic wish) {
        TopicNames.require(wish.name());
        if (topics.find(wish.name()) != null) {
            throw alreadyExists(wish.name());
        }
        requireRoomFor(wish.partitions(), bytes(wish));
    }

    /**
     * Creates topics, many with one entry. Each future ends for itself, with the topic or with the reason why there is none; they are
     * in the order of the wishes.
     */
    public List<CompletableFuture<Topic>> create(List<NewTopic> wishes) {
        List<CompletableFuture<Topic>> creations = new ArrayList<>(wishes.size());
        List<Creation> together = new ArrayList<>();
        for (NewTopic wish : wishes) {
            try {
                Creation creation = reserve(wish);
                together.add(creation);
                creations.add(creation.topic);
            } catch (RefusedException e) {
                creations.add(CompletableFuture.failedFuture(e));
            }
        }
        together.stream()
                .collect(Collectors.groupingBy(creation -> RetentionClasses.limits(settings(creation.wish))))
                .values()
                .forEach(this::carryOutInParts);
        return creations;
    }

    private void carryOutInParts(List<Creation> alike) {
        for (int from = 0; from < alike.size(); from += TOPICS_PER_ENTRY) {
            carryOut(alike.subList(from, Math.min(alike.size(), from + TOPICS_PER_ENTRY)));
        }
    }

    private TopicSettings settings(NewTopic wish) {
        return topics.defaults().withOverrides(wish.configs());
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
        Creation creation;
        try {
            creation = reserve(wish);
        } catch (RefusedException e) {
            if (e.code() == ErrorCode.TOPIC_ALREADY_EXISTS) {
                return findOrCreate(wish); // somebody else was faster
            }
            throw e;
        }
        carryOut(List.of(creation));
        return creation.topic;
    }

    /** A topic whose name is reserved, and the future of those who wait for it. */
    private record Creation(NewTopic wish, CompletableFuture<Topic> topic) {}

    private Creation reserve(NewTopic wish) {
        CompletableFuture<Topic> topic = new CheckedFuture<>();
        if (underWay.putIfAbsent(wish.name(), topic) != null) {
            throw alreadyExists(wish.name());
        }
        try {
            // Only now, for it may have come into being before the reservation.
            requireCreatable(wish);
            reserveRoom(wish.partitions(), bytes(wish));
            return new Creation(wish, topic);
        } catch (RefusedException e) {
            end(wish.name(), topic, e);
            throw e;
        }
    }

    private static long bytes(NewTopic wish) {
        return bytes(wish.partitions()) + TopicIndex.heapBytes(wish.name(), wish.configs());
    }

    private static long bytes(int partitions) {
        return (long) partitions * Store.BYTES_PER_QUEUE;
    }

    /** Queues for all of them in a row, of one retention class, and then one entry that makes them topics. */
    private void carryOut(List<Creation> creations) {
        // No more than may be reserved together.
        int count = creations.stream()
                .mapToInt(creation -> creation.wish.partitions())
                .sum();
        // Its end is told through the futures of the topics.
        CompletionStage<?> unused = classes.using(
                        settings(creations.get(0).wish),
                        retentionClass -> store.createQueues(count, retentionClass)
                                .thenCompose(first -> append(entry(creations, first))))
                .whenComplete((bytes, failure) -> creations.forEach(creation -> {
                    release(creation.wish.partitions(), bytes(creation.wish));
                    end(creation.wish.name(), creation.topic, failure);
                }));
    }

    private static ByteBuffer entry(List<Creation> creations, int firstQueueId) {
        List<ByteBuffer> parts = new ArrayList<>();
        int next = firstQueueId;
        for (Creation creation : creations) {
            NewTopic wish = creation.wish;
            parts.add(TopicEntryLayout.created(randomId(), wish.name(), next, wish.partitions(), wish.configs()));
            next += wish.partitions();
        }
        return TopicEntryLayout.joined(parts);
    }

    private static Uuid randomId() {
        UUID random = UUID.randomUUID();
        return new Uuid(random.getMostSignificantBits(), random.getLeastSignificantBits());
    }

    public CompletionStage<Topic> addPartitions(Topic wanted, int newCount) {
        CompletableFuture<Topic> changed = new CheckedFuture<>();
        if (underWay.putIfAbsent(wanted.name(), changed) != null) {
            throw new RefusedException(ErrorCode.REQUEST_TIMED_OUT, "another change of the topic is on its way");
        }
        try {
            Topic topic = topics.find(wanted.id());
            if (topic == null || newCount <= topic.partitionCount()) {
                throw new RefusedException(
                        ErrorCode.INVALID_PARTITIONS, "the topic was deleted or has as many partitions meanwhile");
            }
            int more = newCount - topic.partitionCount();
            reserveRoom(more, bytes(more));
            // Its end is told through the future.
            CompletionStage<?> unused = classes.using(
                            topic.settings(),
                            retentionClass -> store.createQueues(more, retentionClass)
                                    .thenCompose(first -> append(topic, first, more)))
                    .whenComplete((bytes, failure) -> {
                        release(more, bytes(more));
                        end(topic.name(), changed, failure);
                    });
        } catch (RefusedException e) {
            end(wanted.name(), changed, e);
            throw e;
        }
        return changed;
    }

    /** The queues become partitions of the topic, or go again if it was deleted meanwhile. */
    private CompletionStage<Integer> append(Topic topic, int firstQueueId, int count) {
        int before = topic.partitionCount();
        return append(TopicEntryLayout.partitionsAdded(topic.id(), before, firstQueueId, count))
                .thenApply(bytes -> {
                    if (topics.find(topic.id()) == null) {
                        CompletionStage<?> unused = store.deleteQueues(firstQueueId, count);
                    }
                    return bytes;
                });
    }

    /** Done when its queues have the retention class that goes with the configs, too. */
    public CompletionStage<Void> setConfigs(Topic topic, Map<String, String> configs) {
        long bytes = SettingsNumbers.heapBytes(configs);
        reserveRoom(0, bytes);
        return classes.using(
                        topics.defaults().withOverrides(configs),
                        retentionClass -> append(TopicEntryLayout.configsSet(topic.id(), configs)))
                .whenComplete((done, failure) -> release(0, bytes))
                .thenCompose(done -> {
                    Topic changed = topics.find(topic.id());
                    return changed == null ? CompletableFuture.completedFuture(null) : classes.settle(changed);
                });
    }

    /** At start: queues take the class that goes with their topic's configs, for the broker's may have changed, or a crash come between. */
    public CompletionStage<Void> settleRetention() {
        return classes.settleAll();
    }

    /** Deletes topics with one entry, and then their queues. At most {@link #MAX_DELETED_AT_ONCE} of them. */
    public CompletionStage<Integer> delete(List<Topic> gone) {
        CompletionStage<Integer> deleted = append(TopicEntryLayout.joined(
                gone.stream().map(topic -> TopicEntryLayout.deleted(topic.id())).toList()));
        return deleted.thenApply(bytes -> {
            deleteQueuesOfRemoved();
            return bytes;
        });
    }

    /** With partitions that were added after somebody had asked for the deletion. */
    private void deleteQueuesOfRemoved() {
        QueueRanges ranges = new QueueRanges();
        for (Topic topic = removed.poll(); topic != null; topic = removed.poll()) {
            topic.forEachRange(ranges::add);
        }
        ranges.forEach((first, count) -> store.deleteQueues(first, count));
        ranges.forEach(goneQueues);
    }

    /** Gives the cluster its id, on the first start of all. */
    public CompletionStage<Integer> nameCluster() {
        return append(TopicEntryLayout.clusterNamed(randomId().toString()));
    }

    private CompletionStage<Integer> append(ByteBuffer entry) {
        return store.appendState(TopicCatalogue.VIEW_ID, entry);
    }

    /** Ends a reservation: the name may be used again, and those who wait hear how it went. */
    private void end(String name, CompletableFuture<Topic> reservation, @Nullable Throwable failure) {
        Topic topic = topics.find(name);
        underWay.remove(name, reservation);
        if (failure != null) {
            reservation.completeExceptionally(failure);
        } else if (topic == null) {
            reservation.completeExceptionally(
                    new RefusedException(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "the topic was deleted meanwhile"));
        } else {
            reservation.complete(topic);
        }
    }

    // ---- room ----

    private void requireRoomFor(int partitions, long bytes) {
        if (!queues.hasRoomFor(partitions)) {
            throw tooManyQueues(partitions);
        }
        if (!heap.hasRoomFor(bytes)) {
            throw tooManyBytes(bytes);
        }
        ids.require(partitions);
    }

    /** Until {@link #release}, it counts as if it were there. */
    private void reserveRoom(int partitions, long bytes) {
        if (!queues.reserve(partitions)) {
            throw tooManyQueues(partitions);
        }
        if (!heap.reserve(bytes)) {
            queues.release(partitions);
            throw tooManyBytes(bytes);
        }
        try {
            ids.reserve(partitions);
        } catch (RefusedException e) {
            queues.release(partitions);
            heap.release(bytes);
            throw e;
        }
    }

    private void release(int partitions, long bytes) {
        queues.release(partitions);
        ids.release(partitions);
        heap.release(bytes);
    }

    int retentionClasses() {
        return classes.size();
    }

    /** What is on its way; nothing when nobody has asked for anything. */
    long queuesUnderWay() {
        return queues.underWay();
    }

    private RefusedException tooManyQueues(int partitions) {
        return new RefusedException(
                ErrorCode.INVALID_PARTITIONS,
                partitions + " more partitions are more than rivulet.max.queues (" + queues.limit()
                        + ") allows; there are " + queues.there() + ", and " + queues.underWay()
                        + " are on their way");
    }

    private RefusedException tooManyBytes(long bytes) {
        return new RefusedException(
                ErrorCode.POLICY_VIOLATION,
                bytes + " bytes more are more than rivulet.topics.bytes (" + heap.limit()
                        + ") allows; topics and their queues take " + heap.there() + ", and " + heap.underWay()
                        + " are on their way");
    }

    private static RefusedException alreadyExists(String name) {
        return new RefusedException(ErrorCode.TOPIC_ALREADY_EXISTS, "topic '" + name + "' already exists");
    }
}
