package io.rivulet.broker.fetch;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a client reads. {@link PartitionTable} has a slot for each; {@link Readiness} has the slots to
 * read next; {@link Growth} counts the bytes that are appended while a fetch waits.
 *
 * <p>Owned by: the fetch that has it, event loop or read thread, from {@link FetchSessions#begin} to the answer.
 * Between fetches it has no owner. Any thread may call {@link #grown}.
 */
public final class FetchSession {
    /** A topic of the session. */
    public static final class NamedTopic {
        private final String name;
        private final Uuid id;
        private final int index;
        private int partitions;
        /** The topic whose queues are registered; null if there was none. */
        private @Nullable Topic seen;

        private NamedTopic(String name, Uuid id, int index) {
            this.name = name;
            this.id = id;
            this.index = index;
        }

        /** The name in the request; empty if the request has the id. */
        public String name() {
            return name;
        }

        public Uuid id() {
            return id;
        }

        public @Nullable Topic seen() {
            return seen;
        }
    }

    private static final int BYTES_PER_TOPIC = 184;
    private static final int FIXED_BYTES = 2048;

    private final TopicCatalogue catalogue;
    private final QueueInterest interest;
    private final boolean byId;

    // Owned by the cache of sessions, and guarded by it.
    int id;
    int epoch;
    boolean taken;
    long createdMillis;
    long usedMillis;
    long countedBytes;

    private final Map<Object, NamedTopic> topicsByKey = new HashMap<>();
    private final List<@Nullable NamedTopic> topics = new ArrayList<>();
    private final Deque<Integer> freeTopics = new ArrayDeque<>(0);

    /** The max bytes of a slot are the client's limit; or, if negative, -1 minus the code of a leader epoch error. */
    private final PartitionTable table = new PartitionTable();

    /** The internal topics that it has or had. */
    private List<InternalTopic> internal = List.of();

    private final Readiness readiness = new Readiness();
    private final Growth growth = new Growth();

    public FetchSession(TopicCatalogue catalogue, QueueInterest interest, boolean byId) {
        this.catalogue = catalogue;
        this.interest = interest;
        this.byId = byId;
    }

    /** Whether topics are named by their ids. */
    public boolean byId() {
        return byId;
    }

    /** The session id for the client; 0 if the session is not kept. */
    public int id() {
        return id;
    }

    /** The number of partitions. */
    public int size() {
        return table.size();
    }

    /** The heap that the session takes, estimated, with its share of {@link QueueInterest}. */
    public long bytes() {
        return FIXED_BYTES + table.bytes() + (long) topicsByKey.size() * BYTES_PER_TOPIC;
    }

    /** What {@link #bytes} would be with so many more partitions, of topics that are not there yet. */
    public long bytesWith(int moreTopics, int morePartitions) {
        return FIXED_BYTES
                + table.bytesWith(morePartitions)
                + ((long) topicsByKey.size() + moreTopics) * BYTES_PER_TOPIC;
    }

    /** Whether the session, which names topics by their ids, has partitions of the topic. */
    public boolean has(Uuid topicId) {
        return topicsByKey.containsKey(topicId);
    }

    /** Whether the session, which names topics by their ids, has the partition. */
    public boolean has(Uuid topicId, int partition) {
        NamedTopic topic = topicsByKey.get(topicId);
        return topic != null && table.find(topic.index, partition) >= 0;
    }

    public Readiness readiness() {
        return readiness;
    }

    /** The growth of its queues. */
    public Growth growth() {
        return growth;
    }

    // ---- changes by the client ----

    void reads(InternalTopic topic) {
        if (!internal.contains(topic)) {
            internal = Stream.concat(internal.stream(), Stream.of(topic)).toList();
        }
    }

    List<InternalTopic> internal() {
        return internal;
    }

    /** Adds the partition, or sets its new offset. */
    public void name(String topicName, Uuid topicId, int partition, long offset, int maxBytes, ErrorCode epochError) {
        NamedTopic topic = topic(topicName, topicId);
        int slot = table.find(topic.index, partition);
        if (slot < 0) {
            slot = add(topic, partition);
            readiness.owe(slot);
        }
        table.set(slot, offset, epochError == ErrorCode.NONE ? Math.max(0, maxBytes) : -1 - epochError.code());
        readiness.setReady(slot);
    }

    public void forget(String topicName, Uuid topicId, int partition) {
        NamedTopic topic = topicsByKey.get(byId ? topicId : topicName);
        int slot = topic == null ? PartitionTable.NONE : table.find(topic.index, partition);
        if (topic != null && slot >= 0) {
            register(topic, slot, false);
            table.remove(slot);
            readiness.remove(slot);
            if (--topic.partitions == 0) {
                topicsByKey.remove(byId ? topicId : topicName);
                topics.set(topic.index, null);
                freeTopics.push(topic.index);
            }
        }
    }

    private NamedTopic topic(String name, Uuid topicId) {
        NamedTopic known = topicsByKey.get(byId ? topicId : name);
        if (known == null) {
            boolean again = !freeTopics.isEmpty();
            known = new NamedTopic(name, topicId, again ? freeTopics.pop() : topics.size());
            known.seen = find(known);
            if (again) {
                topics.set(known.index, known);
            } else {
                topics.add(known);
            }
            topicsByKey.put(byId ? topicId : name, known);
        }
        return known;
    }

    private int add(NamedTopic topic, int partition) {
        int slot = table.add(topic.index, partition);
        readiness.grow(table.slots());
        topic.partitions++;
        register(topic, slot, true);
        return slot;
    }

    private void register(NamedTopic topic, int slot, boolean wanted) {
        Topic seen = topic.seen;
        int queueId = seen == null ? Topic.NO_QUEUE : seen.queueId(table.partitionOf(slot));
        if (queueId == Topic.NO_QUEUE) {
            return;
        }
        if (wanted) {
            interest.add(queueId, this, slot);
        } else {
            interest.remove(queueId, this, slot);
        }
    }

    /** Ends all registrations: the session is not notified of appends any more. */
    public void end() {
        for (int slot = 0; slot < table.slots(); slot++) {
            int index = table.topicOf(slot);
            NamedTopic topic = index == PartitionTable.NONE ? null : topics.get(index);
            if (topic != null) {
                register(topic, slot, false);
            }
        }
    }

    // ---- for the pass ----

    public NamedTopic topicOf(int slot) {
        NamedTopic topic = topics.get(table.topicOf(slot));
        if (topic == null) {
            throw new IllegalStateException("slot " + slot + " is free");
        }
        return topic;
    }

    public int partitionOf(int slot) {
        return table.partitionOf(slot);
    }

    long offsetOf(int slot) {
        return table.offsetOf(slot);
    }

    int maxBytesOf(int slot) {
        return Math.max(0, table.maxBytesOf(slot));
    }

    /** The error of the partition that is known without a read. */
    public ErrorCode errorOf(int slot, int queueId) {
        if (queueId == Topic.NO_QUEUE) {
            NamedTopic topic = topicOf(slot);
            return byId && topic.seen == null ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        }
        int maxBytes = table.maxBytesOf(slot);
        return maxBytes >= 0 ? ErrorCode.NONE : ErrorCode.forCode(-1 - maxBytes);
    }

    /** The present queue of the partition, or {@link Topic#NO_QUEUE}. */
    public int queueOf(int slot) {
        NamedTopic topic = topicOf(slot);
        Topic now = find(topic);
        if (!Objects.equals(now, topic.seen)) {
            follow(topic, now);
        }
        return now == null ? Topic.NO_QUEUE : now.queueId(table.partitionOf(slot));
    }

    /** The topic of an answer, as it was at its last read; null if there was none. */
    @Nullable
    Topic seen(String name, Uuid topicId) {
        NamedTopic topic = topicsByKey.get(byId ? topicId : name);
        return topic == null ? null : topic.seen;
    }

    private @Nullable Topic find(NamedTopic topic) {
        return byId ? catalogue.find(topic.id) : catalogue.find(topic.name);
    }

    /** The topic was changed, deleted or created again. Its partitions may have other queues now. */
    private void follow(NamedTopic topic, @Nullable Topic now) {
        Topic before = topic.seen;
        boolean sameQueues = before != null
                && now != null
                && before.id().equals(now.id())
                && before.partitionCount() == now.partitionCount();
        if (sameQueues) {
            topic.seen = now;
        } else {
            int partitions = Math.max(countOf(before), countOf(now));
            forEachSlot(topic, partitions, slot -> register(topic, slot, false));
            topic.seen = now;
            forEachSlot(topic, partitions, slot -> {
                register(topic, slot, true);
                readiness.setReady(slot);
            });
        }
    }

    private static int countOf(@Nullable Topic topic) {
        return topic == null ? 0 : topic.partitionCount();
    }

    /**
     * The slots of its partitions that exist or existed. If those are few, each is searched for: a session may have a
     * million topics, and when all are deleted at once, a walk over all slots for each would take too long.
     */
    private void forEachSlot(NamedTopic topic, int partitions, IntConsumer action) {
        if (partitions < table.slots()) {
            for (int partition = 0; partition < partitions; partition++) {
                int slot = table.find(topic.index, partition);
                if (slot >= 0) {
                    action.accept(slot);
                }
            }
            return;
        }
        for (int slot = 0; slot < table.slots(); slot++) {
            if (table.topicOf(slot) == topic.index) {
                action.accept(slot);
            }
        }
    }

    /** Bytes were appended to the queue of the slot. Any thread. */
    public void grown(int slot, int bytes) {
        readiness.setReady(slot);
        growth.add(bytes);
    }
}
