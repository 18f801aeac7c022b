package io.rivulet.broker.group.consumer;

import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A set of queues, as ranges of their ids. The partitions of a topic are one range, and so are a thousand topics of one
 * partition that were created in a row; a member's part of 100,000 partitions takes some dozens of bytes. The cost of
 * each operation depends on the number of ranges, not of queues.
 *
 * <pre>
 * encoded: varint number of ranges | for each: varint gap from the end of the previous range, varint length - 1
 * </pre>
 *
 * <p>Immutable.
 */
public final class QueueSet {
    public static final QueueSet EMPTY = new QueueSet(new int[0]);

    private static final int MAX_VARINT_BYTES = 5;
    /** About the steps of a search in the ranges of a large set. */
    private static final int SEARCH_STEPS = 16;

    /** First id, end (exclusive), first id, and so on: strictly ascending, so ranges neither overlap nor touch. */
    private final int[] bounds;

    private final int size;

    private QueueSet(int[] bounds) {
        this.bounds = bounds;
        int count = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            count += bounds[i + 1] - bounds[i];
        }
        this.size = count;
    }

    public static QueueSet range(int firstQueueId, int count) {
        return count == 0 ? EMPTY : new QueueSet(new int[] {firstQueueId, firstQueueId + count});
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    public boolean contains(int queueId) {
        int found = Arrays.binarySearch(bounds, queueId);
        // An id after an odd number of bounds is inside a range. A bound that is found begins or ends a range.
        return found >= 0 ? (found & 1) == 0 : (-found - 1 & 1) == 1;
    }

    public boolean containsAll(QueueSet other) {
        return other.minus(this).isEmpty();
    }

    // ---- algebra ----

    public QueueSet union(QueueSet other) {
        return isEmpty() ? other : other.isEmpty() ? this : merge(other, (here, there) -> here || there);
    }

    public QueueSet minus(QueueSet other) {
        return isEmpty() || other.isEmpty() ? this : merge(other, (here, there) -> here && !there);
    }

    public QueueSet intersect(QueueSet other) {
        if (isEmpty() || other.isEmpty()) {
            return EMPTY;
        }
        boolean isSmaller = bounds.length < other.bounds.length;
        QueueSet few = isSmaller ? this : other;
        QueueSet many = isSmaller ? other : this;
        return (long) few.bounds.length * SEARCH_STEPS < many.bounds.length
                ? few.partsOf(many)
                : merge(other, (here, there) -> here && there);
    }

    /** The intersection, at a cost that depends on these ranges and on the result, not on all ranges of the other. */
    private QueueSet partsOf(QueueSet many) {
        int[] parts = new int[2 * bounds.length];
        int length = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            int end = bounds[i + 1];
            for (int j = many.firstEndingBehind(bounds[i]); j < many.bounds.length && many.bounds[j] < end; j += 2) {
                if (length == parts.length) {
                    parts = Arrays.copyOf(parts, 2 * length);
                }
                parts[length++] = Math.max(bounds[i], many.bounds[j]);
                parts[length++] = Math.min(end, many.bounds[j + 1]);
            }
        }
        return of(parts, length);
    }

    /** Where the first range is that has this queue or later ones. */
    private int firstEndingBehind(int queueId) {
        int found = Arrays.binarySearch(bounds, queueId);
        int at = found >= 0 ? found : -found - 1;
        return (at & 1) == 0 ? at : found >= 0 ? at + 1 : at - 1;
    }

    private interface Rule {
        boolean holds(boolean here, boolean there);
    }

    private QueueSet merge(QueueSet other, Rule rule) {
        int[] merged = new int[bounds.length + other.bounds.length];
        int length = 0;
        int i = 0;
        int j = 0;
        boolean inside = false;
        while (i < bounds.length || j < other.bounds.length) {
            int here = i < bounds.length ? bounds[i] : Integer.MAX_VALUE;
            int there = j < other.bounds.length ? other.bounds[j] : Integer.MAX_VALUE;
            int at = Math.min(here, there);
            i += here == at ? 1 : 0;
            j += there == at ? 1 : 0;
            boolean holds = rule.holds((i & 1) == 1, (j & 1) == 1);
            if (holds != inside) {
                merged[length++] = at;
                inside = holds;
            }
        }
        return of(merged, length);
    }

    private static QueueSet of(int[] bounds, int length) {
        return length == 0 ? EMPTY : new QueueSet(length == bounds.length ? bounds : Arrays.copyOf(bounds, length));
    }

    /** The queues with the lowest ids. */
    public QueueSet first(int count) {
        if (count >= size) {
            return this;
        }
        int[] taken = new int[bounds.length];
        int length = 0;
        int left = count;
        for (int i = 0; left > 0; i += 2) {
            int take = Math.min(left, bounds[i + 1] - bounds[i]);
            taken[length++] = bounds[i];
            taken[length++] = bounds[i] + take;
            left -= take;
        }
        return of(taken, length);
    }

    /** The queues with the highest ids. */
    public QueueSet last(int count) {
        return count >= size ? this : count == 0 ? EMPTY : minus(first(size - count));
    }

    /** Splits the set, from the lowest id on, into sets of these sizes. Their sum is the size of the set. */
    public QueueSet[] split(int[] sizes) {
        QueueSet[] parts = new QueueSet[sizes.length];
        int range = 0;
        int at = bounds.length == 0 ? 0 : bounds[0];
        for (int i = 0; i < sizes.length; i++) {
            int from = range;
            int start = at;
            for (int left = sizes[i]; left > 0; ) {
                int step = Math.min(left, bounds[range + 1] - at);
                left -= step;
                at += step;
                if (left > 0) {
                    range += 2;
                    at = bounds[range];
                }
            }
            parts[i] = sizes[i] == 0 ? EMPTY : slice(from, start, range, at);
            if (range < bounds.length && at == bounds[range + 1] && range + 2 < bounds.length) {
                range += 2;
                at = bounds[range];
            }
        }
        return parts;
    }

    private QueueSet slice(int fromRange, int start, int toRange, int end) {
        int[] cut = Arrays.copyOfRange(bounds, fromRange, toRange + 2);
        cut[0] = start;
        cut[cut.length - 1] = end;
        return new QueueSet(cut);
    }

    /** The lowest id; the set must not be empty. */
    int anyQueue() {
        return bounds[0];
    }

    // ---- walking ----

    /** Receives ranges of queue ids. */
    @FunctionalInterface
    public interface RangeVisitor {
        void range(int firstQueueId, int count);
    }

    public void forEachRange(RangeVisitor visitor) {
        for (int i = 0; i < bounds.length; i += 2) {
            visitor.range(bounds[i], bounds[i + 1] - bounds[i]);
        }
    }

    /** Collects queues in any order. */
    public static final class Builder {
        private long[] ranges = new long[8];
        private int length;

        public Builder add(int queueId) {
            return addRange(queueId, 1);
        }

        public Builder addRange(int firstQueueId, int count) {
            if (count > 0) {
                if (length == ranges.length) {
                    ranges = Arrays.copyOf(ranges, 2 * length);
                }
                ranges[length++] = (long) firstQueueId << Integer.SIZE | firstQueueId + count;
            }
            return this;
        }

        public Builder addAll(QueueSet set) {
            set.forEachRange(this::addRange);
            return this;
        }

        public QueueSet build() {
            Arrays.sort(ranges, 0, length);
            int[] bounds = new int[2 * length];
            int filled = 0;
            for (int i = 0; i < length; i++) {
                int first = (int) (ranges[i] >>> Integer.SIZE);
                int end = (int) ranges[i];
                if (filled > 0 && first <= bounds[filled - 1]) {
                    bounds[filled - 1] = Math.max(bounds[filled - 1], end);
                } else {
                    bounds[filled++] = first;
                    bounds[filled++] = end;
                }
            }
            return of(bounds, filled);
        }
    }

    // ---- bytes ----

    /** An upper bound of the encoded length. */
    public int encodedBytes() {
        return MAX_VARINT_BYTES * (1 + bounds.length);
    }

    public void encode(ByteBuffer out) {
        Varints.putUnsigned(out, bounds.length / 2);
        int at = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            Varints.putUnsigned(out, bounds[i] - at);
            Varints.putUnsigned(out, bounds[i + 1] - bounds[i] - 1);
            at = bounds[i + 1];
        }
    }

    public static QueueSet decode(ByteBuffer in) {
        int[] bounds = new int[2 * Varints.takeUnsigned(in)];
        int at = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            bounds[i] = at + Varints.takeUnsigned(in);
            bounds[i + 1] = bounds[i] + Varints.takeUnsigned(in) + 1;
            at = bounds[i + 1];
        }
        return of(bounds, bounds.length);
    }

    /** Equal for equal sets, in every process; similar sets have very different hashes. */
    public long hash64() {
        long hash = bounds.length;
        for (int bound : bounds) {
            hash = mix(hash ^ bound);
        }
        return hash;
    }

    /** The finalizer of SplitMix64. */
    static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof QueueSet set && Arrays.equals(bounds, set.bounds));
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash64());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        forEachRange((first, count) -> text.append(text.length() > 1 ? " " : "")
                .append(first)
                .append(count > 1 ? ".." + (first + count - 1) : ""));
        return text.append('}').toString();
    }
}
