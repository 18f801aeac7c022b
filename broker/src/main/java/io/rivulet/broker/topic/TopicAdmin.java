package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.environment.RandomIds;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.Admission;
import io.rivulet.broker.limit.LimitLog;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.Store;
import io.rivulet.store.failure.CheckedFuture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes topics. A creation first creates queues, then writes the entry that makes them partitions of a topic. A
 * deletion does the reverse. A crash in between leaves queues without a topic, which the next start deletes ({@link
 * OrphanQueues}). If the entry is refused, the queues are deleted at once.
 *
 * <p>Thread-safe. Futures complete on the log-writer thread, when the change is durable and in the catalogue.
 */
public final class TopicAdmin {
    private static final int TOPICS_PER_ENTRY = 500;
    /** An entry is at most one topic larger, so it fits into a log group. */
    private static final int ENTRY_BYTES = 1 << 20;

    /** Their deletions fit into a log group many times over. */
    public static final int MAX_DELETED_AT_ONCE = 5_000;

    private final Store store;
    private final TopicCatalogue topics;
    /** Queues, including those of creations in progress. */
    private final Admission queues;

    private final QueueIds ids;
    private final RandomIds random;
    /** Heap of topics and queues, including those of creations in progress. */
    private final Admission heap;
    /** Deleted topics whose queues still exist. */
    private final Queue<Topic> removed = new ConcurrentLinkedQueue<>();

    /** Queues without a topic whose deletion was refused. The next change deletes them, or one that has no room. */
    private final Queue<QueueRange> undeleted = new ConcurrentLinkedQueue<>();
    /** Deletions of queues that are under way. */
    private final AtomicInteger deletions = new AtomicInteger();

    private final Topic.RangeVisitor deletedQueues;
    private final RetentionClasses classes;
    /** Creations and additions of partitions in progress, by folded name. */
    private final ConcurrentHashMap<String, Reservation> inProgress = new ConcurrentHashMap<>();

    /** A name with a change in progress. */
    private record Reservation(String name, CompletableFuture<Topic> topic) {}

    /** Queues with consecutive ids. */
    private record QueueRange(int first, int count) {}

    /**
     * @param maxBytes the heap that topics and queues may take
     * @param deletedQueues called on the log-writer thread for the queues of deleted topics
     */
    public TopicAdmin(
            Store store,
            TopicCatalogue topics,
            int maxQueues,
            long maxBytes,
            Topic.RangeVisitor deletedQueues,
            Environment environment) {
        this.store = store;
        this.topics = topics;
        this.queues = new Admission(maxQueues, store::liveQueues);
        this.ids = new QueueIds(store::idLimit, environment.clock()::nanos);
        this.random = environment.ids();
        this.heap = new Admission(maxBytes, () -> store.queueBytes() + topics.heapBytes());
        this.deletedQueues = deletedQueues;
        topics.onRemoved(removed::add);
        this.classes = new RetentionClasses(store, topics);
    }

    /** @throws RefusedException if {@link #create} would refuse the topic now */
    public void requireCreatable(NewTopic request) {
        requireFree(request.name());
        requireRoomFor(request.partitions(), bytes(request));
    }

    /** @throws RefusedException if no client may create a topic with the name */
    public void requireFree(String name) {
        if (topics.find(name) == null) {
            TopicNames.require(name);
        }
        requireNotTaken(name);
    }

    private void requireNotTaken(String name) {
        Topic like = topics.findLike(name);
        if (like != null) {
            throw taken(name, topics.find(name) != null ? name : like.name());
        }
    }

    /**
     * Creates topics, many with one entry. The futures are in the order of the requests; each completes or fails
     * alone.
     */
    public List<CompletableFuture<Topic>> create(List<NewTopic> requests) {
        List<CompletableFuture<Topic>> creations = new ArrayList<>(requests.size());
        List<Creation> together = new ArrayList<>();
        for (NewTopic request : requests) {
            try {
                TopicNames.require(request.name());
                Creation creation = reserve(request);
                together.add(creation);
                creations.add(creation.topic);
            } catch (RefusedException e) {
                creations.add(CompletableFuture.failedFuture(e));
            }
        }
        together.stream()
                .collect(Collectors.groupingBy(creation -> RetentionClasses.limits(settings(creation.request))))
                .values()
                .forEach(this::executeInParts);
        return creations;
    }

    private void executeInParts(List<Creation> alike) {
        int from = 0;
        int bytes = 0;
        for (int to = 1; to <= alike.size(); to++) {
            NewTopic last = alike.get(to - 1).request;
            bytes += TopicEntryLayout.sizeOfCreated(last.name(), last.configs());
            if (to == alike.size() || to - from == TOPICS_PER_ENTRY || bytes >= ENTRY_BYTES) {
                execute(alike.subList(from, to));
                from = to;
                bytes = 0;
            }
        }
    }

    private TopicSettings settings(NewTopic request) {
        return topics.defaults().withOverrides(request.configs());
    }

    /** The topic that exists or is being created, or else a new one. */
    public CompletionStage<Topic> findOrCreate(NewTopic request) {
        if (topics.find(request.name()) == null) {
            TopicNames.require(request.name());
        }
        return findOrCreateAny(request);
    }

    /** As {@link #findOrCreate}. */
    public CompletionStage<Topic> findOrCreate(InternalTopic wanted, int partitions) {
        return findOrCreateAny(wanted.creation(partitions));
    }

    private CompletionStage<Topic> findOrCreateAny(NewTopic request) {
        Topic there = topics.find(request.name());
        if (there != null) {
            return CompletableFuture.completedFuture(there);
        }
        Reservation creating = inProgress.get(TopicNames.folded(request.name()));
        if (creating != null && creating.name.equals(request.name())) {
            return creating.topic;
        }
        Creation creation;
        try {
            creation = reserve(request);
        } catch (RefusedException e) {
            if (e.code() == ErrorCode.TOPIC_ALREADY_EXISTS) {
                return findOrCreateAny(request); // another caller was faster
            }
            throw e;
        }
        execute(List.of(creation));
        return creation.topic;
    }

    /** A topic whose name is reserved, and the future of its creation. */
    private record Creation(NewTopic request, CompletableFuture<Topic> topic) {}

    private Creation reserve(NewTopic request) {
        CompletableFuture<Topic> topic = new CheckedFuture<>();
        Reservation other =
                inProgress.putIfAbsent(TopicNames.folded(request.name()), new Reservation(request.name(), topic));
        if (other != null) {
            throw taken(request.name(), other.name);
        }
        try {
            // Checked after the reservation, because the topic may have been created before it.
            requireNotTaken(request.name());
            reserveRoom(request.partitions(), bytes(request));
            return new Creation(request, topic);
        } catch (RefusedException e) {
            end(request.name(), topic, e);
            throw e;
        }
    }

    private static long bytes(NewTopic request) {
        return bytes(request.partitions()) + TopicIndex.heapBytes(request.name(), request.configs());
    }

    private static long bytes(int partitions) {
        return (long) partitions * Store.BYTES_PER_QUEUE;
    }

    /** Creates adjacent queues for all topics, which have one retention class, then writes one entry. */
    private void execute(List<Creation> creations) {
        // Can't overflow, because all of them are reserved.
        int count = creations.stream()
                .mapToInt(creation -> creation.request.partitions())
                .sum();
        // The futures of the topics report the result.
        CompletionStage<?> unused = classes.using(
                        settings(creations.get(0).request),
                        retentionClass -> createQueues(count, retentionClass, first -> append(entry(creations, first))))
                .whenComplete((bytes, failure) -> creations.forEach(creation -> {
                    release(creation.request.partitions(), bytes(creation.request));
                    settleIfNeeded(creation.request.name());
                    end(creation.request.name(), creation.topic, failure);
                }));
    }

    /** The defaults may have changed while the topic was being created. */
    private void settleIfNeeded(String name) {
        Topic topic = topics.find(name);
        if (topic != null) {
            CompletionStage<?> unused = classes.settleIfNeeded(topic);
        }
    }

    private ByteBuffer entry(List<Creation> creations, int firstQueueId) {
        List<ByteBuffer> parts = new ArrayList<>();
        int next = firstQueueId;
        for (Creation creation : creations) {
            NewTopic request = creation.request;
            parts.add(TopicEntryLayout.created(
                    idFor(request.name()), request.name(), next, request.partitions(), request.configs()));
            next += request.partitions();
        }
        return TopicEntryLayout.joined(parts);
    }

    private Uuid idFor(String name) {
        InternalTopic internal = InternalTopic.named(name);
        return internal == null ? randomId(random) : internal.id();
    }

    static Uuid randomId(RandomIds ids) {
        UUID id = ids.uuid();
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    public CompletionStage<Topic> addPartitions(Topic wanted, int newCount) {
        CompletableFuture<Topic> changed = new CheckedFuture<>();
        String name = wanted.name();
        if (inProgress.putIfAbsent(TopicNames.folded(name), new Reservation(name, changed)) != null) {
            throw new RefusedException(
                    ErrorCode.REQUEST_TIMED_OUT, "another change of the topic is in progress; retry later");
        }
        try {
            Topic topic = topics.find(wanted.id());
            if (topic == null || newCount <= topic.partitionCount()) {
                throw new RefusedException(
                        ErrorCode.INVALID_PARTITIONS, "meanwhile the topic was deleted or got as many partitions");
            }
            int more = newCount - topic.partitionCount();
            reserveRoom(more, bytes(more));
            // The future reports the result.
            CompletionStage<?> unused = classes.using(
                            topic.settings(),
                            retentionClass -> createQueues(more, retentionClass, first -> append(topic, first, more)))
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

    /** Makes the queues partitions of the topic, or deletes them if it was deleted meanwhile. */
    private CompletionStage<Integer> append(Topic topic, int firstQueueId, int count) {
        int before = topic.partitionCount();
        return append(TopicEntryLayout.partitionsAdded(topic.id(), before, firstQueueId, count))
                .thenApply(bytes -> {
                    if (topics.find(topic.id()) == null) {
                        deleteQueues(firstQueueId, count);
                    }
                    return bytes;
                });
    }

    /** Completes when the queues have the retention class of the configs, too. */
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

    /**
     * At a start: gives queues the class of their topic's configs. The broker's defaults may have changed, or a crash
     * may have stopped a change.
     */
    public CompletionStage<Void> settleRetention() {
        return classes.settleAll();
    }

    /**
     * After a change of the defaults: as {@link #settleRetention}.
     *
     * @param walks runs walks over all topics
     */
    public CompletionStage<Void> defaultsChanged(Executor walks) {
        return classes.defaultsChanged(walks);
    }

    /** Deletes topics with one entry, and then their queues. At most {@link #MAX_DELETED_AT_ONCE} of them. */
    public CompletionStage<Integer> delete(List<Topic> deletedTopics) {
        CompletionStage<Integer> deleted = append(TopicEntryLayout.joined(deletedTopics.stream()
                .map(topic -> TopicEntryLayout.deleted(topic.id()))
                .toList()));
        return deleted.thenApply(bytes -> {
            deleteQueuesOfRemoved();
            return bytes;
        });
    }

    /** Includes partitions that were added after the deletion was requested. */
    private void deleteQueuesOfRemoved() {
        QueueRanges ranges = new QueueRanges();
        for (Topic topic = removed.poll(); topic != null; topic = removed.poll()) {
            topic.forEachRange(ranges::add);
        }
        ranges.forEach(this::deleteQueues);
        ranges.forEach(deletedQueues);
    }

    private void deleteQueues(int first, int count) {
        deletions.incrementAndGet();
        CompletionStage<?> unused = store.deleteQueues(first, count).whenComplete((deleted, failure) -> {
            deletions.decrementAndGet();
            if (isRefused(failure)) {
                undeleted.add(new QueueRange(first, count));
            } else {
                // Again when no entry of the log can be about these queues any more.
                deletedQueues.range(first, count);
            }
        });
    }

    /** If the disk still refuses it, clients that create again and again must not make work each time. */
    private void makeRoom() {
        if (deletions.get() == 0) {
            deleteUndeleted();
        }
    }

    private void deleteUndeleted() {
        for (int left = undeleted.size(); left > 0; left--) {
            QueueRange next = undeleted.poll();
            if (next != null) {
                deleteQueues(next.first, next.count);
            }
        }
    }

    /** Creates queues, then appends the entry that is about them. If that is refused, deletes the queues. */
    private CompletionStage<Integer> createQueues(
            int count, int retentionClass, IntFunction<CompletionStage<Integer>> append) {
        return store.createQueues(count, retentionClass)
                .thenCompose(first -> append.apply(first).whenComplete((bytes, failure) -> {
                    if (isRefused(failure)) {
                        deleteQueues(first, count);
                    }
                }));
    }

    /**
     * Whether a change is certainly not stored, and a later one may be. After other failures of the store, the next
     * start finds queues without a topic.
     */
    private static boolean isRefused(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof NotStoredException refused
                && (refused.outcome() == Outcome.TOO_LARGE || refused.outcome() == Outcome.DISK_FULL);
    }

    /** Gives the cluster its id, at the first start. */
    public CompletionStage<Integer> nameCluster() {
        return append(TopicEntryLayout.clusterNamed(randomId(random).toString()));
    }

    private CompletionStage<Integer> append(ByteBuffer entry) {
        return store.appendState(TopicCatalogue.VIEW_ID, entry).whenComplete((bytes, failure) -> {
            if (failure == null) {
                deleteUndeleted();
            }
        });
    }

    /** Ends a reservation: frees the name and completes the future. */
    private void end(String name, CompletableFuture<Topic> reservation, @Nullable Throwable failure) {
        Topic topic = topics.find(name);
        inProgress.remove(TopicNames.folded(name), new Reservation(name, reservation));
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

    /** The room counts as used until {@link #release}. */
    private void reserveRoom(int partitions, long bytes) {
        if (!queues.reserve(partitions)) {
            makeRoom();
            throw tooManyQueues(partitions);
        }
        if (!heap.reserve(bytes)) {
            queues.release(partitions);
            makeRoom();
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

    /** Queues of creations in progress. */
    long queuesInProgress() {
        return queues.reserved();
    }

    private RefusedException tooManyQueues(int partitions) {
        LimitLog.refused("rivulet.max.queues", partitions + " more partitions");
        return new RefusedException(
                ErrorCode.INVALID_PARTITIONS,
                partitions + " more partitions exceed rivulet.max.queues (" + queues.limit() + "): there are "
                        + queues.current() + ", and " + queues.reserved() + " are being created");
    }

    private RefusedException tooManyBytes(long bytes) {
        LimitLog.refused("rivulet.topics.bytes", "topics or partitions of " + bytes + " bytes");
        return new RefusedException(
                ErrorCode.POLICY_VIOLATION,
                bytes + " more bytes exceed rivulet.topics.bytes (" + heap.limit()
                        + "): topics and their queues take " + heap.current() + ", and " + heap.reserved()
                        + " are being added");
    }

    private static RefusedException taken(String name, String by) {
        return name.equals(by)
                ? new RefusedException(ErrorCode.TOPIC_ALREADY_EXISTS, "Topic '" + name + "' already exists.")
                : new RefusedException(
                        ErrorCode.INVALID_TOPIC_EXCEPTION,
                        "topic '" + name + "' differs from topic '" + by + "' in '.' and '_' only");
    }
}
