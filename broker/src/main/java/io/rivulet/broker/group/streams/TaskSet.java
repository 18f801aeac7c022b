package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.base.Items;
import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of tasks: some partitions of some subtopologies.
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

    /** In the order of ids. No set is empty, and none is changed. */
    private final Map<String, BitSet> partitions;

    private TaskSet(Map<String, BitSet> partitions) {
        this.partitions = partitions;
    }

    /** Collects tasks. */
    static final class Builder {
        private final TreeMap<String, BitSet> partitions = new TreeMap<>();

        Builder add(String subtopology, int partition) {
            partitions.computeIfAbsent(subtopology, id -> new BitSet()).set(partition);
            return this;
        }

        TaskSet build() {
            return partitions.isEmpty() ? EMPTY : new TaskSet(new TreeMap<>(partitions));
        }
    }

    // ---- questions ----

    boolean isEmpty() {
        return partitions.isEmpty();
    }

    int size() {
        int size = 0;
        for (BitSet set : partitions.values()) {
            size += set.cardinality();
        }
        return size;
    }

    boolean contains(String subtopology, int partition) {
        BitSet set = partitions.get(subtopology);
        return set != null && set.get(partition);
    }

    boolean containsAll(TaskSet other) {
        return other.minus(this).isEmpty();
    }

    boolean intersects(TaskSet other) {
        for (Map.Entry<String, BitSet> entry : partitions.entrySet()) {
            BitSet set = other.partitions.get(entry.getKey());
            if (set != null && set.intersects(entry.getValue())) {
                return true;
            }
        }
        return false;
    }

    /** The sets must not be changed. */
    void forEach(BiConsumer<String, BitSet> visitor) {
        partitions.forEach(visitor);
    }

    // ---- arithmetic ----

    TaskSet union(TaskSet other) {
        if (other.isEmpty() || isEmpty()) {
            return isEmpty() ? other : this;
        }
        TreeMap<String, BitSet> result = new TreeMap<>(partitions);
        other.partitions.forEach((id, set) -> result.merge(id, set, TaskSet::union));
        return new TaskSet(result);
    }

    private static BitSet union(BitSet one, BitSet other) {
        BitSet both = (BitSet) one.clone();
        both.or(other);
        return both;
    }

    TaskSet minus(TaskSet other) {
        return combined(other, BitSet::andNot, true);
    }

    TaskSet intersect(TaskSet other) {
        return combined(other, BitSet::and, false);
    }

    private TaskSet combined(TaskSet other, BiConsumer<BitSet, BitSet> operation, boolean keepsOthers) {
        TreeMap<String, BitSet> result = new TreeMap<>();
        partitions.forEach((id, set) -> {
            BitSet operand = other.partitions.get(id);
            if (operand != null) {
                BitSet changed = (BitSet) set.clone();
                operation.accept(changed, operand);
                if (!changed.isEmpty()) {
                    result.put(id, changed);
                }
            } else if (keepsOthers) {
                result.put(id, set);
            }
        });
        return result.isEmpty() ? EMPTY : new TaskSet(result);
    }

    // ---- bytes ----

    /** The most bytes that {@link #encode} writes. */
    int encodedBytes() {
        int bytes = Items.VARINT_BYTES;
        for (Map.Entry<String, BitSet> entry : partitions.entrySet()) {
            int ranges = ranges(entry.getValue());
            bytes += Items.textBytes(entry.getKey()) + (1 + 2 * ranges) * Items.VARINT_BYTES;
        }
        return bytes;
    }

    private static int ranges(BitSet set) {
        int ranges = 0;
        for (int first = set.nextSetBit(0); first >= 0; first = set.nextSetBit(set.nextClearBit(first))) {
            ranges++;
        }
        return ranges;
    }

    void encode(ByteBuffer out) {
        Varints.putUnsigned(out, partitions.size());
        partitions.forEach((id, set) -> {
            Items.putText(out, id);
            Varints.putUnsigned(out, ranges(set));
            int end = 0;
            for (int first = set.nextSetBit(0); first >= 0; first = set.nextSetBit(end)) {
                Varints.putUnsigned(out, first - end);
                end = set.nextClearBit(first);
                Varints.putUnsigned(out, end - first);
            }
        });
    }

    static TaskSet decode(ByteBuffer in) {
        TreeMap<String, BitSet> partitions = new TreeMap<>();
        for (int left = Varints.takeUnsigned(in); left > 0; left--) {
            String id = Items.takeText(in);
            BitSet set = new BitSet();
            int end = 0;
            for (int ranges = Varints.takeUnsigned(in); ranges > 0; ranges--) {
                int first = end + Varints.takeUnsigned(in);
                end = first + Varints.takeUnsigned(in);
                set.set(first, end);
            }
            partitions.put(id, set);
        }
        return new TaskSet(partitions);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TaskSet that && partitions.equals(that.partitions);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(partitions);
    }

    @Override
    public String toString() {
        return partitions.toString();
    }
}
