package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Topics by name and by id: rows, and 6 to 13 bytes of slots for each of the two. No object for any topic, so that a collection has
 * nothing to look at and a start with a million of them nothing to move.
 *
 * <p>One thread writes, any thread reads: slots and rows are published with release, new tables by a volatile write. A reader that walks
 * over all topics sees those that were there all the while, each once, and perhaps those that came or went meanwhile.
 */
final class TopicIndex {
    private static final int INITIAL_SLOTS = 16;
    /** A row, its slots in both tables, and the length of its name. */
    private static final int BYTES_PER_TOPIC = 64;
    /** An entry of a map and an array, for each two words of ranges. */
    private static final int BYTES_PER_RANGE_WORD = 48;

    private record Tables(TopicRows rows, RowSlots byName, RowSlots byId) {
        static Tables of(TopicRows rows, int slots) {
            return new Tables(rows, new RowSlots(slots), new RowSlots(slots));
        }
    }

    private volatile Tables tables = Tables.of(new TopicRows(new SettingsNumbers()), INITIAL_SLOTS);
    private volatile int size;
    /** Of the names of topics that are there. */
    private volatile long nameBytes;

    // ---- any thread ----

    /** What the topics take of the heap, about. Rows of deleted ones are not counted; they go before they are as many as the others. */
    long heapBytes() {
        TopicRows rows = tables.rows;
        return (long) size * BYTES_PER_TOPIC
                + nameBytes
                + (long) rows.addedRangeWords() * BYTES_PER_RANGE_WORD
                + rows.settings().heapBytes();
    }

    /** What one more may take. */
    static long heapBytes(String name, Map<String, String> overrides) {
        return BYTES_PER_TOPIC + name.length() + SettingsNumbers.heapBytes(overrides);
    }

    @Nullable
    Topic find(String name) {
        Tables now = tables;
        RowSlots slots = now.byName;
        long mixed = RowSlots.mixed(name.hashCode());
        for (int slot = slots.first(mixed); ; slot = slots.next(slot)) {
            int value = slots.value(slot);
            if (value == RowSlots.EMPTY) {
                return null;
            }
            if (slots.isLike(value, mixed) && now.rows.hasName(slots.row(value), name)) {
                Topic topic = now.rows.topic(slots.row(value));
                if (topic != null) {
                    return topic;
                }
            }
        }
    }

    @Nullable
    Topic find(Uuid id) {
        Tables now = tables;
        int row = rowOf(now, id.mostSignificantBits(), id.leastSignificantBits());
        return row == 0 ? null : now.rows.topic(row);
    }

    /** The row of the topic with the id; 0 when there is none. */
    private static int rowOf(Tables now, long high, long low) {
        RowSlots slots = now.byId;
        long mixed = RowSlots.mixed(high ^ low);
        for (int slot = slots.first(mixed); ; slot = slots.next(slot)) {
            int value = slots.value(slot);
            if (value == RowSlots.EMPTY) {
                return 0;
            }
            if (slots.isLike(value, mixed) && now.rows.hasId(slots.row(value), high, low)) {
                return slots.row(value);
            }
        }
    }

    boolean contains(Uuid id) {
        return rowOf(tables, id.mostSignificantBits(), id.leastSignificantBits()) != 0;
    }

    int size() {
        return size;
    }

    void forEach(Consumer<Topic> action) {
        tables.rows.forEach(action);
    }

    TopicWalk walk() {
        return new TopicWalk(tables.rows);
    }

    SortedNames sortedNames() {
        return tables.rows.sortedNames();
    }

    // ---- the writing thread ----

    /** The settings with these overrides that some topic has; null when none has. */
    @Nullable
    TopicSettings sharedSettings(Map<String, String> overrides) {
        return tables.rows.settings().find(overrides);
    }

    /** Makes the tables large enough for so many, so that they need not grow step by step. */
    void expect(int topics) {
        if (lengthFor(topics) > tables.byName.length()) {
            rebuild(topics);
        }
    }

    /** Adds a topic whose id is not there; one of the same name makes way. */
    void add(Uuid id, int firstQueueId, int count, ByteBuffer name, TopicSettings settings) {
        long nameMixed = RowSlots.mixed(NameArena.hash(name));
        int namesake = namesake(name, nameMixed);
        if (namesake != 0) {
            remove(namesake);
        }
        if ((tables.rows.count() + 1) * 8L > tables.byName.length() * 5L) {
            rebuild(size + 1);
        }
        long high = id.mostSignificantBits();
        long low = id.leastSignificantBits();
        int row = tables.rows.add(high, low, firstQueueId, count, name.duplicate(), settings);
        tables.byName.add(nameMixed, row);
        tables.byId.add(RowSlots.mixed(high ^ low), row);
        setSize(size + 1, nameBytes + name.remaining());
    }

    private int namesake(ByteBuffer name, long mixed) {
        RowSlots slots = tables.byName;
        for (int slot = slots.first(mixed); ; slot = slots.next(slot)) {
            int value = slots.value(slot);
            if (value == RowSlots.EMPTY) {
                return 0;
            }
            if (slots.isLike(value, mixed) && tables.rows.hasName(slots.row(value), name)) {
                return slots.row(value);
            }
        }
    }

    /** Whether there was one. */
    boolean remove(Uuid id) {
        int row = rowOf(tables, id.mostSignificantBits(), id.leastSignificantBits());
        if (row != 0) {
            remove(row);
        }
        return row != 0;
    }

    private void remove(int row) {
        Tables now = tables;
        now.byName.remove(RowSlots.mixed(now.rows.nameHash(row)), row);
        now.byId.remove(RowSlots.mixed(now.rows.idHash(row)), row);
        now.rows.remove(row);
        setSize(size - 1, nameBytes - now.rows.nameBytes(row));
    }

    /** Whether there is such a topic, with so many partitions until now. */
    boolean addPartitions(Uuid id, int partitionsBefore, int firstQueueId, int count) {
        Topic topic = find(id);
        if (topic == null || topic.partitionCount() != partitionsBefore) {
            return false;
        }
        int row = rowOf(tables, id.mostSignificantBits(), id.leastSignificantBits());
        tables.rows.setAddedRanges(row, topic.rangesWith(firstQueueId, count));
        return true;
    }

    void setSettings(Uuid id, TopicSettings settings) {
        int row = rowOf(tables, id.mostSignificantBits(), id.leastSignificantBits());
        if (row != 0) {
            tables.rows.setSettings(row, settings);
        }
    }

    /** Only the writing thread writes it. */
    private void setSize(int topics, long bytesOfNames) {
        size = topics;
        nameBytes = bytesOfNames;
    }

    /** Into slots for so many: more of them, or as many when many topics have gone, whose rows go with them. */
    private void rebuild(int topics) {
        TopicRows rows = tables.rows.areManyGone() ? tables.rows.compacted() : tables.rows;
        int gone = rows.count() - size;
        Tables larger = Tables.of(rows, lengthFor(topics + gone));
        for (int row = 1; row <= rows.count(); row++) {
            if (rows.isThere(row)) {
                larger.byName.add(RowSlots.mixed(rows.nameHash(row)), row);
                larger.byId.add(RowSlots.mixed(rows.idHash(row)), row);
            }
        }
        tables = larger;
    }

    /** Twice as many or more, for no more than five eighths of them are ever taken. */
    private static int lengthFor(int topics) {
        int length = INITIAL_SLOTS;
        while (length * 3L / 4 < topics * 4L / 3) {
            length *= 2;
        }
        return length;
    }
}
