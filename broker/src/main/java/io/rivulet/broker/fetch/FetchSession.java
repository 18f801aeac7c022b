package io.rivulet.broker.fetch;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a client reads, and which of them there may be something to tell of. Each has a slot in some primitive arrays;
 * slots of partitions that were forgotten are used again.
 *
 * <p>A partition is <i>ready</i> until it was looked at, there was nothing to read and nothing is owed; appends make it ready again.
 * It is <i>owed</i> an answer from when the client named it first until it was told of, whatever there is to tell.
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

    private static final int INITIAL_SLOTS = 4;
    private static final int FREE = -1;
    private static final int BYTES_PER_SLOT = 36;
    private static final int BYTES_PER_TOPIC = 184;
    private static final int FIXED_BYTES = 2048;
    private static final long NO_GOAL = Long.MAX_VALUE;

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

    private int slots;
    private int partitions;
    private int freeSlot = FREE;
    /** Index into {@link #topics}; {@link #FREE} for a slot that is free, whose partition is the next free slot. */
    private int[] topicOf = new int[INITIAL_SLOTS];

    private int[] partitionOf = new int[INITIAL_SLOTS];
    /** What the client wants at most; or, negative, -1 less the error that its leader epoch has earned it. */
    private int[] maxBytesOf = new int[INITIAL_SLOTS];

    private long[] offsetOf = new long[INITIAL_SLOTS];

    /** Open addressing with linear probes: slot + 1, or 0. At most three quarters full. */
    private int[] table = new int[2 * INITIAL_SLOTS];

    private final ReadySet ready = new ReadySet();
    private final BitSet owed = new BitSet();
    private int owedCount;
    private int nextSlot;

    private final AtomicLong grownBytes = new AtomicLong();
    private volatile long goalBytes = NO_GOAL;
    private volatile @Nullable Runnable waiter;

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
        return partitions;
    }

    /** About what it takes of the heap, its share of {@link QueueInterest} included. */
    long bytes() {
        return FIXED_BYTES
                + (long) topicOf.length * BYTES_PER_SLOT
                + (long) table.length * Integer.BYTES
                + (long) topicsByKey.size() * BYTES_PER_TOPIC;
    }

    // ---- what the client names ----

    /** Adds the partition, or moves it to where the client reads now. */
    void name(String topicName, Uuid topicId, int partition, long offset, int maxBytes, ErrorCode epochError) {
        NamedTopic topic = topic(topicName, topicId);
        int slot = find(topic.index, partition);
        if (slot < 0) {
            slot = add(topic, partition);
            owed.set(slot);
            owedCount++;
        }
        offsetOf[slot] = offset;
        maxBytesOf[slot] = epochError == ErrorCode.NONE ? Math.max(0, maxBytes) : -1 - epochError.code();
        ready.set(slot);
    }

    void forget(String topicName, Uuid topicId, int partition) {
        NamedTopic topic = topicsByKey.get(byId ? topicId : topicName);
        int slot = topic == null ? FREE : find(topic.index, partition);
        if (topic != null && slot >= 0) {
            register(topic, slot, false);
            remove(slot);
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
        int slot = freeSlot;
        if (slot != FREE) {
            freeSlot = partitionOf[slot];
        } else {
            if (slots == topicOf.length) {
                growArrays();
            }
            slot = slots++;
            ready.grow(slots);
        }
        topicOf[slot] = topic.index;
        partitionOf[slot] = partition;
        topic.partitions++;
        partitions++;
        insert(slot);
        register(topic, slot, true);
        return slot;
    }

    private void growArrays() {
        int size = slots + (slots >> 1);
        topicOf = Arrays.copyOf(topicOf, size);
        partitionOf = Arrays.copyOf(partitionOf, size);
        maxBytesOf = Arrays.copyOf(maxBytesOf, size);
        offsetOf = Arrays.copyOf(offsetOf, size);
    }

    private void register(NamedTopic topic, int slot, boolean wanted) {
        Topic seen = topic.seen;
        int queueId = seen == null ? Topic.NO_QUEUE : seen.queueId(partitionOf[slot]);
        if (queueId == Topic.NO_QUEUE) {
            return;
        }
        if (wanted) {
            interest.add(queueId, this, slot);
        } else {
            interest.remove(queueId, this, slot);
        }
    }

    /** Nobody wants to hear anything any more. */
    void end() {
        for (int slot = 0; slot < slots; slot++) {
            NamedTopic topic = topicOf[slot] == FREE ? null : topics.get(topicOf[slot]);
            if (topic != null) {
                register(topic, slot, false);
            }
        }
    }

    // ---- the table of partitions ----

    private int find(int topicIndex, int partition) {
        for (int i = home(topicIndex, partition); ; i = i + 1 & table.length - 1) {
            int slot = table[i] - 1;
            if (slot < 0 || (topicOf[slot] == topicIndex && partitionOf[slot] == partition)) {
                return slot;
            }
        }
    }

    private void insert(int slot) {
        if (4L * partitions > 3L * table.length) {
            table = new int[2 * table.length];
            for (int other = 0; other < slots; other++) {
                if (topicOf[other] != FREE && other != slot) {
                    put(other);
                }
            }
        }
        put(slot);
    }

    private void put(int slot) {
        int i = home(topicOf[slot], partitionOf[slot]);
        while (table[i] != 0) {
            i = i + 1 & table.length - 1;
        }
        table[i] = slot + 1;
    }

    private void remove(int slot) {
        int hole = home(topicOf[slot], partitionOf[slot]);
        while (table[hole] != slot + 1) {
            hole = hole + 1 & table.length - 1;
        }
        closeUp(hole);
        topicOf[slot] = FREE;
        partitionOf[slot] = freeSlot;
        freeSlot = slot;
        ready.clear(slot);
        settle(slot);
        partitions--;
    }

    /** Moves those that were pushed past the hole back, so that no probe ends at it too early. */
    private void closeUp(int from) {
        int mask = table.length - 1;
        int hole = from;
        table[hole] = 0;
        for (int i = hole + 1 & mask; table[i] != 0; i = i + 1 & mask) {
            int home = home(topicOf[table[i] - 1], partitionOf[table[i] - 1]);
            if ((i - home & mask) >= (i - hole & mask)) {
                table[hole] = table[i];
                table[i] = 0;
                hole = i;
            }
        }
    }

    private int home(int topicIndex, int partition) {
        int hash = (topicIndex * 31 + partition) * 0x9E3779B9;
        return (hash ^ hash >>> 15) & table.length - 1;
    }

    // ---- what there is to tell ----

    /** The next ready slot from this one on, or -1. */
    int nextReady(int from) {
        return from >= slots ? -1 : ready.next(from);
    }

    /** Where the next answer begins, so that each partition has its turn. */
    int turn() {
        return nextSlot < slots ? nextSlot : 0;
    }

    void turnBehind(int slot) {
        nextSlot = slot + 1;
    }

    NamedTopic topicOf(int slot) {
        NamedTopic topic = topics.get(topicOf[slot]);
        if (topic == null) {
            throw new IllegalStateException("slot " + slot + " is free");
        }
        return topic;
    }

    int partitionOf(int slot) {
        return partitionOf[slot];
    }

    long offsetOf(int slot) {
        return offsetOf[slot];
    }

    int maxBytesOf(int slot) {
        return Math.max(0, maxBytesOf[slot]);
    }

    /** What is wrong with the partition before any read. */
    ErrorCode errorOf(int slot, int queueId) {
        if (queueId == Topic.NO_QUEUE) {
            NamedTopic topic = topicOf(slot);
            return byId && topic.seen == null ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        }
        return maxBytesOf[slot] >= 0 ? ErrorCode.NONE : ErrorCode.forCode(-1 - maxBytesOf[slot]);
    }

    /** The queue that is the partition now, or {@link Topic#NO_QUEUE}. */
    int queueOf(int slot) {
        NamedTopic topic = topicOf(slot);
        Topic now = find(topic);
        if (!Objects.equals(now, topic.seen)) {
            follow(topic, now);
        }
        return now == null ? Topic.NO_QUEUE : now.queueId(partitionOf[slot]);
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
            for (int slot = 0; slot < slots; slot++) {
                if (topicOf[slot] == topic.index) {
                    register(topic, slot, false);
                }
            }
        }
        topic.seen = now;
        if (!sameQueues) {
            for (int slot = 0; slot < slots; slot++) {
                if (topicOf[slot] == topic.index) {
                    register(topic, slot, true);
                    ready.set(slot);
                }
            }
        }
    }

    /** Whether the partition has to be in the answer, also when there is nothing to read. */
    boolean isOwed(int slot) {
        return owed.get(slot);
    }

    /** From here on only what is new makes it ready; to be called before looking at the queue. */
    void unready(int slot) {
        ready.clear(slot);
    }

    void keepReady(int slot) {
        ready.set(slot);
    }

    /** The client is told of it. */
    void settle(int slot) {
        if (owed.get(slot)) {
            owed.clear(slot);
            owedCount--;
        }
    }

    int owedCount() {
        return owedCount;
    }

    // ---- waiting ----

    /** So many bytes have been appended to its queues so far. */
    public long grownBytes() {
        return grownBytes.get();
    }

    /** Runs the action, once or more often, when so many bytes have been appended in all; on any thread, and it must not block. */
    public void await(long goal, Runnable action) {
        waiter = action;
        goalBytes = goal;
        if (grownBytes.get() >= goal) {
            action.run();
        }
    }

    public void stopWaiting() {
        goalBytes = NO_GOAL;
        waiter = null;
    }

    /** Any thread: there is something new in the slot's queue. */
    void grown(int slot, int bytes) {
        ready.set(slot);
        if (grownBytes.addAndGet(bytes) >= goalBytes) {
            Runnable action = waiter;
            if (action != null) {
                action.run();
            }
        }
    }
}
