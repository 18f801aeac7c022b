package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is known of each topic, in rows of 32 bytes that lie in a few arrays.
 *
 * <pre>
 * row | id 16 | first queue id 4 | count 4 | place of the name 4 | has more ranges 1 bit | number of the settings 31 bits |
 * </pre>
 *
 * Numbered from 1 in the order of their making. What may change of a topic is in the last word, or, once partitions were added to it, in
 * a map for the few topics with such. A row is not used again.
 *
 * <p>One thread writes; any thread reads rows whose number it has by a release and acquire, or walks over all.
 */
final class TopicRows {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PART_SHIFT = 12;
    private static final int PART_ROWS = 1 << PART_SHIFT;
    private static final int ROW_SHIFT = 2;
    private static final int ID_LOW = 1;
    private static final int QUEUES = 2;
    private static final int STATE = 3;
    private static final int NAME_SHIFT = 32;
    private static final long MORE_RANGES = 1L << 31;
    private static final int SETTINGS_MASK = Integer.MAX_VALUE;
    /** Instead of the number of any settings: the topic has gone. */
    private static final int GONE = SETTINGS_MASK;

    private final SettingsNumbers settings;
    private final NameArena names = new NameArena();
    private final Map<Integer, int[]> addedRanges = new ConcurrentHashMap<>();
    /** Volatile, for a reader may come upon a longer one than that in which the row it was told of was made. */
    private volatile long[][] parts = new long[1][];

    private volatile int count;
    /** Of the rows, those whose topics have gone. The writing thread's. */
    private int gone;
    /** Of all added ranges. */
    private volatile int addedRangeWords;

    TopicRows(SettingsNumbers settings) {
        this.settings = settings;
    }

    // ---- any thread ----

    NameArena names() {
        return names;
    }

    SettingsNumbers settings() {
        return settings;
    }

    int nameBytes(int row) {
        return names.length(namePlace(state(row)));
    }

    /** Ranges of queues that were added to topics. */
    int addedRangeWords() {
        return addedRangeWords;
    }

    boolean hasName(int row, String name) {
        return names.is(namePlace(state(row)), name);
    }

    boolean hasName(int row, ByteBuffer name) {
        return names.is(namePlace(state(row)), name);
    }

    boolean hasId(int row, long high, long low) {
        long[] part = part(row);
        int at = at(row);
        return part[at] == high && part[at + ID_LOW] == low;
    }

    /** The topic as it is; null when it has gone. */
    @Nullable
    Topic topic(int row) {
        long state = state(row);
        Topic topic = topic(row, state);
        // The number of its settings may have gone to others in between.
        for (long now = state(row); now != state; now = state(row)) {
            state = now;
            topic = topic(row, state);
        }
        return topic;
    }

    private @Nullable Topic topic(int row, long state) {
        int[] ranges = Topic.NO_RANGES;
        if ((state & MORE_RANGES) != 0) {
            ranges = addedRanges.get(row);
        }
        int number = (int) state & SETTINGS_MASK;
        if (ranges == null || number == GONE) {
            return null;
        }
        long[] part = part(row);
        int at = at(row);
        long queues = part[at + QUEUES];
        return new Topic(
                names,
                namePlace(state),
                part[at],
                part[at + ID_LOW],
                (int) (queues >>> Integer.SIZE),
                (int) queues,
                ranges,
                settings.of(number));
    }

    /** Those that are there all the while, and perhaps others, in the order of their rows. */
    void forEach(Consumer<Topic> action) {
        for (int row = 1, end = count; row <= end; row++) {
            Topic topic = topic(row);
            if (topic != null) {
                action.accept(topic);
            }
        }
    }

    SortedNames sortedNames() {
        int[] places = new int[count];
        int there = 0;
        for (int row = 1; row <= places.length; row++) {
            if (isThere(row)) {
                places[there++] = namePlace(state(row));
            }
        }
        return new SortedNames(names, places, there);
    }

    /** Rows that were ever made. */
    int count() {
        return count;
    }

    boolean isThere(int row) {
        return ((int) state(row) & SETTINGS_MASK) != GONE;
    }

    private long[] part(int row) {
        return parts[row >>> PART_SHIFT];
    }

    private static int at(int row) {
        return (row & PART_ROWS - 1) << ROW_SHIFT;
    }

    private long state(int row) {
        return (long) WORD.getAcquire(part(row), at(row) + STATE);
    }

    private static int namePlace(long state) {
        return (int) (state >>> NAME_SHIFT);
    }

    // ---- the writing thread ----

    int add(long high, long low, int firstQueueId, int queueCount, ByteBuffer name, TopicSettings topicSettings) {
        int row = count + 1;
        int partIndex = row >>> PART_SHIFT;
        if (partIndex == parts.length) {
            parts = Arrays.copyOf(parts, 2 * parts.length);
        }
        if (parts[partIndex] == null) {
            parts[partIndex] = new long[PART_ROWS << ROW_SHIFT];
        }
        long[] part = parts[partIndex];
        int at = at(row);
        part[at] = high;
        part[at + ID_LOW] = low;
        part[at + QUEUES] = (long) firstQueueId << Integer.SIZE | Integer.toUnsignedLong(queueCount);
        part[at + STATE] = (long) names.add(name) << NAME_SHIFT | settings.take(topicSettings);
        count = row;
        return row;
    }

    void setSettings(int row, TopicSettings topicSettings) {
        int before = (int) state(row) & SETTINGS_MASK;
        setState(row, (state(row) & ~(long) SETTINGS_MASK) | settings.take(topicSettings));
        settings.release(before);
    }

    /** @param ranges first queue id and count, for each range behind the first one */
    void setAddedRanges(int row, int[] ranges) {
        countRanges(ranges.length, addedRanges.put(row, ranges));
        setState(row, state(row) | MORE_RANGES);
    }

    void remove(int row) {
        int before = (int) state(row) & SETTINGS_MASK;
        setState(row, state(row) | GONE);
        settings.release(before);
        countRanges(0, addedRanges.remove(row));
        gone++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void countRanges(int words, int @Nullable [] before) {
        addedRangeWords += words - (before == null ? 0 : before.length);
    }

    private void setState(int row, long state) {
        WORD.setRelease(part(row), at(row) + STATE, state);
    }

    long idHash(int row) {
        long[] part = part(row);
        return part[at(row)] ^ part[at(row) + ID_LOW];
    }

    int nameHash(int row) {
        return names.hash(namePlace(state(row)));
    }

    boolean areManyGone() {
        return gone > count / 4;
    }

    /** The topics that are there, in rows of their own; who has these rows still finds their settings under the numbers here. */
    TopicRows compacted() {
        TopicRows compact = new TopicRows(new SettingsNumbers());
        for (int row = 1; row <= count; row++) {
            if (isThere(row)) {
                compact.copy(this, row);
            }
        }
        return compact;
    }

    private void copy(TopicRows from, int row) {
        long[] part = from.part(row);
        int at = at(row);
        long state = from.state(row);
        long queues = part[at + QUEUES];
        int copy = add(
                part[at],
                part[at + ID_LOW],
                (int) (queues >>> Integer.SIZE),
                (int) queues,
                from.names.bytes(namePlace(state)),
                from.settings.of((int) state & SETTINGS_MASK));
        int[] ranges = from.addedRanges.get(row);
        if (ranges != null) {
            setAddedRanges(copy, ranges);
        }
    }
}
