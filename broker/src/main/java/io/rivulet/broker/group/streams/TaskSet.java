package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.base.Items;
import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A set of tasks: some partitions of some subtopologies, in ranges. So it takes about as much memory as its bytes in
 * the log, however far its partitions are apart.
 *
 * <pre>
 * encoded: varint subtopologies | for each, in the order of ids:
 *          id text | varint ranges | for each, ascending: varint partitions since the last range, varint length
 * </pre>
 *
 * <p>Immutable.
 */
final class TaskSet {
    static final TaskSet EMPTY = new TaskSet(new TreeMap<>());
    private static final int[] NONE = {};

    /**
     * By id, in the order of ids: first partition and end of each range, ascending. Ranges do not touch each other. No
     * array is empty, and none is changed.
     */
    private final Map<String, int[]> ranges;

    private TaskSet(Map<String, int[]> ranges) {
        this.ranges = ranges;
    }

    /** Collects tasks, in any order. */
    static final class Builder {
        private final Map<String, Partitions> partitions = new TreeMap<>();

        Builder add(String subtopology, int partition) {
            partitions.computeIfAbsent(subtopology, id -> new Partitions()).add(partition);
            return this;
        }

        TaskSet build() {
            TreeMap<String, int[]> result = new TreeMap<>();
            partitions.forEach((id, all) -> result.put(id, all.ranges()));
            return result.isEmpty() ? EMPTY : new TaskSet(result);
        }
    }

    /** A growing array. */
    private static final class Partitions {
        private int[] all = {0, 0};
        private int count;

        void add(int partition) {
            if (count == all.length) {
                all = Arrays.copyOf(all, 2 * count);
            }
            all[count] = partition;
            count++;
        }

        int[] ranges() {
            Arrays.sort(all, 0, count);
            int[] found = new int[2 * count];
            int length = 0;
            for (int i = 0; i < count; i++) {
                if (length > 0 && all[i] <= found[length - 1]) {
                    found[length - 1] = all[i] + 1;
                } else {
                    found[length] = all[i];
                    found[length + 1] = all[i] + 1;
                    length += 2;
                }
            }
            return Arrays.copyOf(found, length);
        }
    }

    // ---- questions ----

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    int size() {
        int size = 0;
        for (int[] set : ranges.values()) {
            for (int i = 0; i < set.length; i += 2) {
                size += set[i + 1] - set[i];
            }
        }
        return size;
    }

    boolean contains(String subtopology, int partition) {
        int[] set = ranges.get(subtopology);
        if (set == null) {
            return false;
        }
        int index = Arrays.binarySearch(set, partition);
        return isOdd(index >= 0 ? index + 1 : -index - 1); // starts and ends up to the partition
    }

    private static boolean isOdd(int number) {
        return (number & 1) == 1;
    }

    boolean containsAll(TaskSet other) {
        return other.minus(this).isEmpty();
    }

    /** Takes no memory: it is asked for many members, and most have none of the tasks. */
    boolean intersects(TaskSet other) {
        if (isEmpty() || other.isEmpty()) {
            return false;
        }
        for (Map.Entry<String, int[]> entry : ranges.entrySet()) {
            if (intersect(entry.getValue(), other.ranges.getOrDefault(entry.getKey(), NONE))) {
                return true;
            }
        }
        return false;
    }

    private static boolean intersect(int[] one, int[] other) {
        int i = 0;
        int j = 0;
        while (i < one.length && j < other.length) {
            if (Math.max(one[i], other[j]) < Math.min(one[i + 1], other[j + 1])) {
                return true;
            }
            if (one[i + 1] < other[j + 1]) {
                i += 2;
            } else {
                j += 2;
            }
        }
        return false;
    }

    /** Visits the partitions of each subtopology, ascending. */
    void forEach(BiConsumer<String, int[]> visitor) {
        ranges.forEach((id, set) -> visitor.accept(
                id,
                IntStream.range(0, set.length / 2)
                        .flatMap(range -> IntStream.range(set[2 * range], set[2 * range + 1]))
                        .toArray()));
    }

    // ---- arithmetic ----

    TaskSet union(TaskSet other) {
        if (other.isEmpty() || isEmpty()) {
            return isEmpty() ? other : this;
        }
        TreeMap<String, int[]> result = new TreeMap<>(ranges);
        other.ranges.forEach(
                (id, set) -> result.merge(id, set, (one, another) -> merged(one, another, true, true, true)));
        return new TaskSet(result);
    }

    TaskSet minus(TaskSet other) {
        return isEmpty() || other.isEmpty() ? this : combined(other, true, false);
    }

    TaskSet intersect(TaskSet other) {
        return isEmpty() || other.isEmpty() ? EMPTY : combined(other, false, true);
    }

    private TaskSet combined(TaskSet other, boolean onlyHere, boolean inBoth) {
        TreeMap<String, int[]> result = new TreeMap<>();
        ranges.forEach((id, set) -> {
            int[] kept = merged(set, other.ranges.getOrDefault(id, NONE), onlyHere, inBoth, false);
            if (kept.length > 0) {
                result.put(id, kept);
            }
        });
        return result.isEmpty() ? EMPTY : new TaskSet(result);
    }

    /** The partitions that are only in the one set, in both, or only in the other: goes through all starts and ends. */
    private static int[] merged(int[] one, int[] other, boolean onlyOne, boolean both, boolean onlyOther) {
        int[] result = new int[one.length + other.length];
        int length = 0;
        int i = 0;
        int j = 0;
        while (i < one.length || j < other.length) {
            int at = j == other.length || (i < one.length && one[i] <= other[j]) ? one[i] : other[j];
            i += i < one.length && one[i] == at ? 1 : 0;
            j += j < other.length && other[j] == at ? 1 : 0;
            boolean kept = (isOdd(i) && isOdd(j)) ? both : (isOdd(i) ? onlyOne : (isOdd(j) && onlyOther));
            if (kept != isOdd(length)) {
                result[length] = at;
                length++;
            }
        }
        return length == result.length ? result : Arrays.copyOf(result, length);
    }

    // ---- bytes ----

    /** The most bytes that {@link #encode} writes. */
    int encodedBytes() {
        int bytes = Items.VARINT_BYTES;
        for (Map.Entry<String, int[]> entry : ranges.entrySet()) {
            bytes += Items.textBytes(entry.getKey()) + (1 + entry.getValue().length) * Items.VARINT_BYTES;
        }
        return bytes;
    }

    void encode(ByteBuffer out) {
        Varints.putUnsigned(out, ranges.size());
        ranges.forEach((id, set) -> {
            Items.putText(out, id);
            Varints.putUnsigned(out, set.length / 2);
            int before = 0;
            for (int bound : set) {
                Varints.putUnsigned(out, bound - before);
                before = bound;
            }
        });
    }

    static TaskSet decode(ByteBuffer in) {
        TreeMap<String, int[]> all = new TreeMap<>();
        for (int left = Varints.takeUnsigned(in); left > 0; left--) {
            String id = Items.takeText(in);
            int[] set = new int[2 * Varints.takeUnsigned(in)];
            int before = 0;
            for (int i = 0; i < set.length; i++) {
                before += Varints.takeUnsigned(in);
                set[i] = before;
            }
            all.put(id, set);
        }
        return all.isEmpty() ? EMPTY : new TaskSet(all);
    }

    // ---- values ----

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof TaskSet that) || ranges.size() != that.ranges.size()) {
            return false;
        }
        for (Map.Entry<String, int[]> entry : ranges.entrySet()) {
            if (!Arrays.equals(entry.getValue(), that.ranges.get(entry.getKey()))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (Map.Entry<String, int[]> entry : ranges.entrySet()) {
            hash = 31 * hash + entry.getKey().hashCode() + Arrays.hashCode(entry.getValue());
        }
        return hash;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        forEach((id, partitions) -> text.append(id).append(Arrays.toString(partitions)));
        return text.toString();
    }
}
