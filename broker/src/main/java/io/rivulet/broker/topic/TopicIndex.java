package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Topics by name and by id: rows, and 6 to 13 bytes of slots for each of both. It keeps no object for a topic, so
 * garbage collections stay cheap with a million topics.
 *
 * <p>One thread writes, any thread reads: slots and rows are published with release, new tables with a volatile write.
 * A walk over all topics meets each topic that exists from start to end once, and others perhaps.
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
    /** Length of the names of existing topics. */
    private volatile long nameBytes;

    // ---- any thread ----

    /** The heap that topics take, estimated. Rows of deleted topics are not counted; they are never the majority. */
    long heapBytes() {
        TopicRows rows = tables.rows;
        return (long) size * BYTES_PER_TOPIC
                + nameBytes
                + (long) rows.addedRangeWords() * BYTES_PER_RANGE_WORD
                + rows.settings().heapBytes();
    }

    /** The heap that one more topic may take. */
    static long heapBytes(String name, Map<String, String> overrides) {
        return BYTES_PER_TOPIC + name.length() + SettingsNumbers.heapBytes(overrides);
    }

    @Nullable
    Topic find(String name) {
        return find(name, TopicRows::hasName);
    }

    /** A topic whose name is the same when '.' and '_' are. */
    @Nullable
    Topic findLike(String name) {
        return find(name, TopicRows::hasNameLike);
    }

    /** Whether a row has a name. */
    @FunctionalInterface
    private interface NameTest {
        boolean test(TopicRows rows, int row, String name);
    }

    private @Nullable Topic find(String name, NameTest test) {
        Tables now = tables;
        RowSlots slots = now.byName;
        long mixed = RowSlots.mixed(NameArena.hash(name));
        for (int slot = slots.first(mixed); ; slot = slots.next(slot)) {
            int value = slots.value(slot);
            if (value == RowSlots.EMPTY) {
                return null;
            }
            if (slots.isLike(value, mixed) && test.test(now.rows, slots.row(value), name)) {
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

    /** The row of the topic with the id, or 0. */
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

    int size() {
        return size;
    }

    void forEach(Consumer<Topic> action) {
        tables.rows.forEach(action);
    }

    TopicWalk walk() {
        return new TopicWalk(tables.rows);
    }

    void search(NameSearch search) {
        tables.rows.search(search);
    }

    SortedNames sortedNames() {
        return tables.rows.sortedNames();
    }

    // ---- the writing thread ----

    /** The settings with these overrides, or null if no topic has them. */
    @Nullable
    TopicSettings sharedSettings(Map<String, String> overrides) {
        return tables.rows.settings().find(overrides);
    }

    /** Replaces the settings of all topics. The overrides stay. */
    void replaceSettings(UnaryOperator<TopicSettings> replacement) {
        tables.rows.settings().replaceAll(replacement);
    }

    /** Sizes the tables for so many topics, so that they do not grow in steps. */
    void expect(int topics) {
        if (slotsFor(topics) > tables.byName.length()) {
            rebuild(topics);
        }
    }

    /** Adds a topic with a new id. A topic of the same name is removed. */
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

    /** Whether there was such a topic. */
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

    /** False if there is no such topic with so many partitions. */
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

    /** Makes new slots for so many topics. If many topics were deleted, their rows are removed too. */
    private void rebuild(int topics) {
        TopicRows rows = tables.rows.areManyDeleted() ? tables.rows.compacted() : tables.rows;
        int deleted = rows.count() - size;
        Tables larger = Tables.of(rows, slotsFor(topics + deleted));
        for (int row = 1; row <= rows.count(); row++) {
            if (rows.isThere(row)) {
                larger.byName.add(RowSlots.mixed(rows.nameHash(row)), row);
                larger.byId.add(RowSlots.mixed(rows.idHash(row)), row);
            }
        }
        tables = larger;
    }

    /** At least twice as many slots as topics: at most five eighths of the slots are ever used. */
    private static int slotsFor(int topics) {
        int length = INITIAL_SLOTS;
        while (length * 3L / 4 < topics * 4L / 3) {
            length *= 2;
        }
        return length;
    }
}
