package io.rivulet.store.cache;

/**
 * The counters of the cache since its creation.
 *
 * <p>Immutable.
 *
 * @param hits pages found, by the class in which they were found
 * @param misses pages that had to be read, by the class of the reader; pages read ahead count as READ_AHEAD
 * @param evictions pages that were evicted
 * @param promotions pages of scans that were moved to the hot pages
 * @param passed pages that were dropped after a sequential reader
 * @param joined how often a reader waited for the load of another one instead of reading the same page
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
