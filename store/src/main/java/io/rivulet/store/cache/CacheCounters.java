package io.rivulet.store.cache;

/**
 * What the cache did since it was made.
 *
 * <p>Immutable.
 *
 * @param hits pages found, by the class in which they were found
 * @param misses pages that had to be read, by the class of the reader; pages read ahead count as READ_AHEAD
 * @param evictions pages that had to make room
 * @param promotions pages of passing readers that turned out to be wanted
 * @param passed pages dropped behind a sequential reader
 * @param joined times that a reader waited for another's load instead of reading the same page
 * @param bypasses reads that found no free page and went around the cache
 * @param reads I/Os
 */
public record CacheCounters(
        ByClass hits,
        ByClass misses,
        long evictions,
        long promotions,
        long passed,
        long joined,
        long bypasses,
        long reads,
        long readBytes) {

    /** One count for each class of pages. Immutable. */
    public record ByClass(long tail, long readAhead, long scan) {
        public long sum() {
            return tail + readAhead + scan;
        }
    }
}
