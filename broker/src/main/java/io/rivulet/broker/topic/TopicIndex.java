package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Topics by name and by id, at about 6 to 13 bytes for each of the two: open addressing with linear probes, where hash maps would
 * take 40. No more than five eighths are filled: each probe past another topic looks at that topic's name, which is in no cache.
 *
 * <p>One thread writes, any thread reads: a slot is published with release, a grown table by a volatile write. A reader that walks
 * over all topics sees those that were there all the while, and perhaps those that came or went meanwhile.
 */
final class TopicIndex {
    private static final int INITIAL_SLOTS = 16;
    /** Where a topic was; a probe goes on past it. */
    private static final Topic REMOVED = new Topic(new byte[0], Uuid.ZERO, 0, 0, TopicSettings.KAFKA_DEFAULTS);

    private volatile AtomicReferenceArray<@Nullable Topic> byName = new AtomicReferenceArray<>(INITIAL_SLOTS);
    private volatile AtomicReferenceArray<@Nullable Topic> byId = new AtomicReferenceArray<>(INITIAL_SLOTS);
    /** Slots that were ever filled since the table was made: the same number in both, or less in one. */
    private int usedSlots;

    private final AtomicInteger size = new AtomicInteger();

    // ---- any thread ----

    @Nullable
    Topic find(String name) {
        AtomicReferenceArray<@Nullable Topic> slots = byName;
        for (int i = slot(name.hashCode(), slots); ; i = next(i, slots)) {
            Topic topic = slots.getAcquire(i);
            if (topic == null || (topic != REMOVED && topic.hasName(name))) {
                return topic;
            }
        }
    }

    @Nullable
    Topic find(Uuid id) {
        AtomicReferenceArray<@Nullable Topic> slots = byId;
        long high = id.mostSignificantBits();
        long low = id.leastSignificantBits();
        for (int i = idSlot(high ^ low, slots); ; i = next(i, slots)) {
            Topic topic = slots.getAcquire(i);
            if (topic == null || (topic != REMOVED && topic.hasId(high, low))) {
                return topic;
            }
        }
    }

    int size() {
        return size.get();
    }

    void forEach(Consumer<Topic> action) {
        AtomicReferenceArray<@Nullable Topic> slots = byName;
        for (int i = 0; i < slots.length(); i++) {
            Topic topic = slots.getAcquire(i);
            if (topic != null && topic != REMOVED) {
                action.accept(topic);
            }
        }
    }

    // ---- the writing thread ----

    /** Makes the tables large enough for so many, so that they need not grow step by step. */
    void expect(int topics) {
        if (lengthFor(topics) > byName.length()) {
            rebuild(topics);
        }
    }

    /** Adds the topic, or replaces the one with its id; one of the same name and another id makes way. */
    void put(Topic topic) {
        Topic before = findNamesake(topic);
        if (before != null && before.id().equals(topic.id())) {
            exchange(before, topic);
            return;
        }
        if (before != null) {
            remove(before);
        }
        if ((usedSlots + 1) * 8L > byName.length() * 5L) {
            rebuild(size() + 1);
        }
        insert(byName, nameSlot(topic, byName), topic);
        insert(byId, idSlot(topic.idHash(), byId), topic);
        usedSlots++;
        size.incrementAndGet();
    }

    private @Nullable Topic findNamesake(Topic topic) {
        for (int i = nameSlot(topic, byName); ; i = next(i, byName)) {
            Topic other = byName.getPlain(i);
            if (other == null || (other != REMOVED && other.hasNameOf(topic))) {
                return other;
            }
        }
    }

    void remove(Topic topic) {
        exchange(topic, REMOVED);
        size.decrementAndGet();
    }

    private void exchange(Topic before, Topic after) {
        exchange(byName, nameSlot(before, byName), before, after);
        exchange(byId, idSlot(before.idHash(), byId), before, after);
    }

    private static void exchange(AtomicReferenceArray<@Nullable Topic> slots, int from, Topic before, Topic after) {
        int i = from;
        while (slots.getPlain(i) != before) {
            i = next(i, slots);
        }
        slots.setRelease(i, after);
    }

    private static void insert(AtomicReferenceArray<@Nullable Topic> slots, int from, Topic topic) {
        int i = from;
        while (slots.getPlain(i) != null) {
            i = next(i, slots);
        }
        slots.setRelease(i, topic);
    }

    /** Into tables for so many: larger ones, or of the same size when many topics have gone. */
    private void rebuild(int topics) {
        int length = lengthFor(topics);
        AtomicReferenceArray<@Nullable Topic> names = new AtomicReferenceArray<>(length);
        AtomicReferenceArray<@Nullable Topic> ids = new AtomicReferenceArray<>(length);
        forEach(topic -> {
            insert(names, nameSlot(topic, names), topic);
            insert(ids, idSlot(topic.idHash(), ids), topic);
        });
        usedSlots = size();
        byName = names;
        byId = ids;
    }

    private static int lengthFor(int topics) {
        int length = INITIAL_SLOTS;
        while (length * 3L / 4 < topics * 4L / 3) {
            length *= 2;
        }
        return length;
    }

    private static int nameSlot(Topic topic, AtomicReferenceArray<?> slots) {
        return slot(topic.nameHash(), slots);
    }

    private static int idSlot(long idHash, AtomicReferenceArray<?> slots) {
        return slot(Long.hashCode(idHash), slots);
    }

    private static int slot(int hash, AtomicReferenceArray<?> slots) {
        int mixed = hash * 0x9E3779B9;
        return (mixed ^ mixed >>> 16) & (slots.length() - 1);
    }

    private static int next(int slot, AtomicReferenceArray<?> slots) {
        return slot + 1 & (slots.length() - 1);
    }
}
