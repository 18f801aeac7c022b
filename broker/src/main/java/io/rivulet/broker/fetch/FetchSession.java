package io.rivulet.broker.fetch;

import io.rivulet.broker.error.ErrorCode;
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
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a client reads, each with a slot in a {@link PartitionTable}; which of them are to be read next ({@link
 * Readiness}); and what was appended to them while a fetch waits ({@link Growth}).
 *
 * <p>Owned by: the fetch that has it, event loop or read thread, from {@link FetchSessions#begin} to the answer; in between by
 * nobody. {@link #grown} may come from any thread at any time.
 */
public final class FetchSession {
    /** A topic of the session. */
    public static final class NamedTopic {
        private final String name;
        private final Uuid id;
        private final int index;
        private int partitions;
        /** As it was when its queues were registered; null when there was none. */
        private @Nullable Topic seen;

        private NamedTopic(String name, Uuid id, int index) {
            this.name = name;
            this.id = id;
            this.index = index;
        }

        /** As the client named it: empty if it gave the id. */
        public String name() {
            return name;
        }

        public Uuid id() {
            return id;
        }
    }

    private static final int BYTES_PER_TOPIC = 184;
    private static final int FIXED_BYTES = 2048;

    private final TopicCatalogue catalogue;
    private final QueueInterest interest;
    private final boolean byId;

    // What belongs to the cache, guarded by it.
    int id;
    int epoch;
    boolean taken;
    long createdMillis;
    long usedMillis;
    long countedBytes;

    private final Map<Object, NamedTopic> topicsByKey = new HashMap<>();
    private final List<@Nullable NamedTopic> topics = new ArrayList<>();
    private final Deque<Integer> freeTopics = new ArrayDeque<>(0);

    /** Its max bytes are what the client wants at most; or, negative, -1 less the error that its leader epoch has earned it. */
    private final PartitionTable table = new PartitionTable();

    private final Readiness readiness = new Readiness();
    private final Growth growth = new Growth();

    FetchSession(TopicCatalogue catalogue, QueueInterest interest, boolean byId) {
        this.catalogue = catalogue;
        this.interest = interest;
        this.byId = byId;
    }

    /** Whether topics are named by their ids. */
    public boolean byId() {
        return byId;
    }

    /** What the answer tells the client: 0 when the session is not kept. */
    public int id() {
        return id;
    }

    /** How many partitions. */
    public int size() {
        return table.size();
    }

    /** About what it takes of the heap, its share of {@link QueueInterest} included. */
    long bytes() {
        return FIXED_BYTES + table.bytes() + (long) topicsByKey.size() * BYTES_PER_TOPIC;
    }

    Readiness readiness() {
        return readiness;
    }

    /** What is appended to its queues. */
    Growth growth() {
        return growth;
    }

    // ---- what the client names ----

    /** Adds the partition, or moves it to where the client reads now. */
    void name(String topicName, Uuid topicId, int partition, long offset, int maxBytes, ErrorCode epochError) {
        NamedTopic topic = topic(topicName, topicId);
        int slot = table.find(topic.index, partition);
        if (slot < 0) {
            slot = add(topic, partition);
            readiness.owe(slot);
        }
        table.set(slot, offset, epochError == ErrorCode.NONE ? Math.max(0, maxBytes) : -1 - epochError.code());
        readiness.setReady(slot);
    }

    void forget(String topicName, Uuid topicId, int partition) {
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

    /** Appends do not reach it any more. */
    void end() {
        for (int slot = 0; slot < table.slots(); slot++) {
            int index = table.topicOf(slot);
            NamedTopic topic = index == PartitionTable.NONE ? null : topics.get(index);
            if (topic != null) {
                register(topic, slot, false);
            }
        }
    }

    // ---- what there is to read ----

    NamedTopic topicOf(int slot) {
        NamedTopic topic = topics.get(table.topicOf(slot));
        if (topic == null) {
            throw new IllegalStateException("slot " + slot + " is free");
        }
        return topic;
    }

    int partitionOf(int slot) {
        return table.partitionOf(slot);
    }

    long offsetOf(int slot) {
        return table.offsetOf(slot);
    }

    int maxBytesOf(int slot) {
        return Math.max(0, table.maxBytesOf(slot));
    }

    /** What is wrong with the partition before any read. */
    ErrorCode errorOf(int slot, int queueId) {
        if (queueId == Topic.NO_QUEUE) {
            NamedTopic topic = topicOf(slot);
            return byId && topic.seen == null ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        }
        int maxBytes = table.maxBytesOf(slot);
        return maxBytes >= 0 ? ErrorCode.NONE : ErrorCode.forCode(-1 - maxBytes);
    }

    /** The queue that is the partition now, or {@link Topic#NO_QUEUE}. */
    int queueOf(int slot) {
        NamedTopic topic = topicOf(slot);
        Topic now = find(topic);
        if (!Objects.equals(now, topic.seen)) {
            follow(topic, now);
        }
        return now == null ? Topic.NO_QUEUE : now.queueId(table.partitionOf(slot));
    }

    private @Nullable Topic find(NamedTopic topic) {
        return byId ? catalogue.find(topic.id) : catalogue.find(topic.name);
    }

    /** The topic has been changed, deleted or made anew: its partitions may be other queues than before. */
    private void follow(NamedTopic topic, @Nullable Topic now) {
        Topic before = topic.seen;
        boolean sameQueues = before != null
                && now != null
                && before.id().equals(now.id())
                && before.partitionCount() == now.partitionCount();
        if (!sameQueues) {
            for (int slot = 0; slot < table.slots(); slot++) {
                if (table.topicOf(slot) == topic.index) {
                    register(topic, slot, false);
                }
            }
        }
        topic.seen = now;
        if (!sameQueues) {
            for (int slot = 0; slot < table.slots(); slot++) {
                if (table.topicOf(slot) == topic.index) {
                    register(topic, slot, true);
                    readiness.setReady(slot);
                }
            }
        }
    }

    /** Any thread: so many bytes were appended to the slot's queue. */
    void grown(int slot, int bytes) {
        readiness.setReady(slot);
        growth.add(bytes);
    }
}
