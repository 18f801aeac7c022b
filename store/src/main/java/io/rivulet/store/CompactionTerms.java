package io.rivulet.store;

import java.util.Comparator;

/**
 * How each queue of a class is compacted. Immutable.
 *
 * @param minDirtyPermille a queue is compacted when more than this part of its bytes is dirty
 * @param deleteRetentionMillis how long a tombstone stays after the first compaction that reads it
 * @param minLagMillis younger records are not compacted
 * @param maxLagMillis older records are compacted even if little is dirty
 * @param maxTailMillis how long records may stay in the tail, which compaction does not read
 */
public record CompactionTerms(
        int minDirtyPermille, long deleteRetentionMillis, long minLagMillis, long maxLagMillis, long maxTailMillis)
        implements Comparable<CompactionTerms> {
    private static final Comparator<CompactionTerms> ORDER = Comparator.comparingInt(CompactionTerms::minDirtyPermille)
            .thenComparingLong(CompactionTerms::deleteRetentionMillis)
            .thenComparingLong(CompactionTerms::minLagMillis)
            .thenComparingLong(CompactionTerms::maxLagMillis)
            .thenComparingLong(CompactionTerms::maxTailMillis);

    public CompactionTerms {
        boolean sound = minDirtyPermille >= 0
                && minDirtyPermille <= 1000
                && deleteRetentionMillis >= 0
                && minLagMillis >= 0
                && maxLagMillis >= 1
                && maxTailMillis >= 1;
        if (!sound) {
            throw new IllegalArgumentException("compaction of " + minDirtyPermille + " permille, tombstones for "
                    + deleteRetentionMillis + " ms, lag of " + minLagMillis + " to " + maxLagMillis + " ms, tail of "
                    + maxTailMillis + " ms");
        }
    }

    @Override
    public int compareTo(CompactionTerms other) {
        return ORDER.compare(this, other);
    }
}
