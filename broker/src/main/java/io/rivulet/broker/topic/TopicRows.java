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
 * A row of 32 bytes for each topic, in a few arrays.
 *
 * <pre>
 * row | id 16 | first queue id 4 | count 4 | place of name 4 | has more ranges 1 bit | number of settings 31 bits |
 * </pre>
 *
 * Rows are numbered from 1 in the order of creation. Only the last word changes; a map has the added ranges of the few
 * topics with added partitions. A row is not reused.
 *
 * <p>One thread writes. Any thread reads rows whose number it got by release and acquire, or walks over all rows.
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
    /** Instead of a number of settings: the topic is deleted. */
    private static final int DELETED = SETTINGS_MASK;

    private final SettingsNumbers settings;
    private final NameArena names = new NameArena();
    private final Map<Integer, int[]> addedRanges = new ConcurrentHashMap<>();
    /** Volatile: a reader may see a longer array than the one in which its row was made. */
    private volatile long[][] parts = new long[1][];

    private volatile int count;
    /** The number of rows of deleted topics. Owned by the writing thread. */
    private int deleted;
    /** The length of all added ranges. */
    private volatile int addedRangeWords;

    TopicRows(SettingsNumbers settings) {
        this.settings = settings;
    }

    // ---- any thread ----

    SettingsNumbers settings() {
        return settings;
    }

    int nameBytes(int row) {
        return names.length(namePlace(state(row)));
    }

    /** The length of all added ranges of queues. */
    int addedRangeWords() {
        return addedRangeWords;
    }

    boolean hasName(int row, String name) {
        return names.is(namePlace(state(row)), name);
    }

    boolean hasName(int row, ByteBuffer name) {
        return names.is(namePlace(state(row)), name);
    }

    /** Whether the names are the same when '.' and '_' are. */
    boolean hasNameLike(int row, String name) {
        return names.isLike(namePlace(state(row)), name);
    }

    boolean hasId(int row, long high, long low) {
        long[] part = part(row);
        int at = at(row);
        return part[at] == high && part[at + ID_LOW] == low;
    }

    /** The topic, or null if it is deleted. */
    @Nullable
    Topic topic(int row) {
        long state = state(row);
        Topic topic = topic(row, state);
        // The number of its settings may have been reused in between.
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
        if (ranges == null || number == DELETED) {
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

    /** Calls the action for topics that exist from start to end, and perhaps for others, in the order of rows. */
    void forEach(Consumer<Topic> action) {
        for (TopicWalk walk = new TopicWalk(this); walk.hasNext(); ) {
            walk.next(action);
        }
    }

    SortedNames sortedNames() {
        int[] places = new int[count];
        int existing = 0;
        for (int row = 1; row <= places.length; row++) {
            if (isThere(row)) {
                places[existing++] = namePlace(state(row));
            }
        }
        return new SortedNames(names, places, existing);
    }

    /** Passes the names of existing topics to the search. */
    void search(NameSearch search) {
        int end = count;
        for (int row = 1; row <= end; row++) {
            long state = state(row);
            if (((int) state & SETTINGS_MASK) != DELETED) {
                search.visit(names, namePlace(state));
            }
        }
    }

    /** The number of rows that were ever made. */
    int count() {
        return count;
    }

    boolean isThere(int row) {
        return ((int) state(row) & SETTINGS_MASK) != DELETED;
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

    /** @param ranges first queue id and count of each range after the first */
    void setAddedRanges(int row, int[] ranges) {
        countRanges(ranges.length, addedRanges.put(row, ranges));
        setState(row, state(row) | MORE_RANGES);
    }

    void remove(int row) {
        int before = (int) state(row) & SETTINGS_MASK;
        setState(row, state(row) | DELETED);
        settings.release(before);
        countRanges(0, addedRanges.remove(row));
        deleted++;
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

    long nameHash(int row) {
        return names.hash(namePlace(state(row)));
    }

    boolean areManyDeleted() {
        return deleted > count / 4;
    }

    /** A copy without deleted topics. Readers of these rows still find their settings here. */
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
