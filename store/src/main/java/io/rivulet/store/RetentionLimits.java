package io.rivulet.store;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of each queue of a class. It has an order, because clients may choose any number of them that have one
 * hash. Immutable.
 *
 * @param maxAgeMillis batches with an older timestamp are deleted; {@link #NO_LIMIT} for no limit
 * @param maxBytesPerQueue at least this many bytes of a queue are kept, and not many more; {@link #NO_LIMIT} for no
 *     limit
 * @param compaction null if queues are not compacted
 */
public record RetentionLimits(
        long maxAgeMillis, long maxBytesPerQueue, @Nullable CompactionTerms compaction)
        implements Comparable<RetentionLimits> {
    private static final Comparator<RetentionLimits> ORDER = Comparator.comparingLong(RetentionLimits::maxAgeMillis)
            .thenComparingLong(RetentionLimits::maxBytesPerQueue)
            .thenComparing(RetentionLimits::compaction, Comparator.nullsFirst(Comparator.naturalOrder()));

    public static final long NO_LIMIT = -1;

    /** Keeps everything. */
    public static final RetentionLimits NONE = new RetentionLimits(NO_LIMIT, NO_LIMIT);

    public RetentionLimits(long maxAgeMillis, long maxBytesPerQueue) {
        this(maxAgeMillis, maxBytesPerQueue, null);
    }

    public RetentionLimits {
        if (maxAgeMillis < NO_LIMIT || maxBytesPerQueue < NO_LIMIT) {
            throw new IllegalArgumentException("retention of " + maxAgeMillis + " ms and " + maxBytesPerQueue
                    + " bytes; each must be 0 or more, or -1 for no limit");
        }
    }

    @Override
    public int compareTo(RetentionLimits other) {
        return ORDER.compare(this, other);
    }

    public boolean limitsAge() {
        return maxAgeMillis != NO_LIMIT;
    }

    public boolean limitsBytes() {
        return maxBytesPerQueue != NO_LIMIT;
    }
}
