package io.rivulet.store.cache;

/**
 * How much memory the cache may use beside its page pool, and how it divides the pool's pages: {@code keptPages} for
 * TAIL, {@code passingPages} for READ_AHEAD and SCAN together; the rest is for pages being loaded, and for evicted ones
 * that readers still hold.
 *
 * <p>Immutable.
 *
 * @param runBytes the longest range that one I/O reads; also the size of each run buffer
 * @param runBuffers how many I/Os of more than one page may be under way at a time
 * @param bypassBytes heap memory for reads that find no free page
 */
public record CacheLimits(int keptPages, int passingPages, int runBytes, int runBuffers, int bypassBytes) {
    private static final int DEFAULT_RUN_BYTES = 256 << 10;
    private static final int DEFAULT_RUN_BUFFERS = 4;
    private static final int DEFAULT_BYPASS_BYTES = 8 << 20;

    public CacheLimits {
        if (keptPages < 1 || passingPages < 2 || runBytes < 1 || runBuffers < 0 || bypassBytes < 1) {
            throw new IllegalArgumentException("no room: " + keptPages + " kept pages, " + passingPages
                    + " passing pages, runs of " + runBytes + " bytes, " + runBuffers + " run buffers, bypass of "
                    + bypassBytes + " bytes");
        }
    }

    /** Five eighths of the pages kept, two passing, one in reserve. */
    public static CacheLimits ofPages(int pages) {
        return new CacheLimits(
                Math.max(1, pages / 8 * 5),
                Math.max(2, pages / 4),
                DEFAULT_RUN_BYTES,
                DEFAULT_RUN_BUFFERS,
                DEFAULT_BYPASS_BYTES);
    }
}
