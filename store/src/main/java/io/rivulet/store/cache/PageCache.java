package io.rivulet.store.cache;

import io.rivulet.store.memory.PageOwner;
import io.rivulet.store.memory.PagePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Caches pages of immutable files in the pages of one pool.
 *
 * <p><b>Policy.</b> The pool is divided. Caffeine keeps TAIL pages by frequency and recency ({@link HotPages}). Pages
 * of READ_AHEAD and SCAN have a share of their own ({@link ScanPages}), so readers that catch up never evict a hot
 * page. A scan page that a TAIL reader requests becomes a hot page; a page that a sequential reader has passed is
 * dropped.
 *
 * <p><b>Memory.</b> Never more than the pool. An evicted page that readers hold is freed by the last of them. When such
 * pages have used up the reserve, loads evict idle scan pages; without any, they read into heap memory of bounded size
 * and bypass the cache. So a load waits only for I/Os of other threads, never for a reader to close a lease.
 *
 * <p><b>Loads.</b> One thread loads a page, others that want it wait for that I/O; if it fails, all of them fail, and
 * the next one tries again. Absent pages that lie side by side are read by one I/O. If that fails, the first page is
 * read alone, so that a bad spot further on hits only those who need it.
 *
 * <p>Any thread. {@link #tryGet} never does I/O; {@link #read} may, so it is not for event loops.
 */
public final class PageCache {
    private static final int AROUND_BYTES = 128 << 10;

    private final PageOwner owner;
    private final CacheLimits limits;
    private final int pageBytes;
    private final CacheMeter meter = new CacheMeter();
    private final PageRegions regions;
    private final PageLoader loader;
    private final Semaphore bypassBytes;
    private final BooleanSupplier hasFailed;

    /** As below, without a failure check. */
    public PageCache(PagePool pool, CacheLimits limits) {
        this(pool, limits, () -> false);
    }

    /**
     * Uses all pages of the pool.
     *
     * @param hasFailed whether the store has failed: then no thread waits for the read of another one
     */
    public PageCache(PagePool pool, CacheLimits limits, BooleanSupplier hasFailed) {
        this.hasFailed = hasFailed;
        if (limits.keptPages() + limits.passingPages() > pool.capacityPages()) {
            throw new IllegalArgumentException("the cache's classes need " + limits.keptPages() + " + "
                    + limits.passingPages() + " pages, the pool has " + pool.capacityPages());
        }
        this.owner = pool.owner("cache");
        this.limits = limits;
        this.pageBytes = pool.pageBytes();
        this.regions = new PageRegions(limits, meter);
        this.loader = new PageLoader(pool, owner, regions, limits, meter, hasFailed);
        this.bypassBytes = new Semaphore(limits.bypassBytes(), true);
    }

    public int pageBytes() {
        return pageBytes;
    }

    /** Passes the number of its file for each page in the cache. Pages that come or go meanwhile may be left out. */
    public void forEachPage(LongConsumer fileNumbers) {
        regions.forEachKey(key -> fileNumbers.accept(PageKey.fileNumber(key)));
    }

    /** The page if it is cached, pinned until the lease is closed. Never does I/O and never waits for one. */
    public @Nullable ReadLease tryGet(PageFile file, long pageNumber, PageClass pageClass) {
        CachedPage page = regions.pin(PageKey.of(file.fileNumber(), pageNumber), pageClass);
        return page == null ? null : new ReadLease(page, meter);
    }

    /**
     * Reads a range of a file through the cache. Blocks for I/O if pages are absent. The caller closes the result soon:
     * within the same read, not after a socket write.
     *
     * @param aheadBytes how far the reader will continue after the range; absent pages there may be read by the same
     *     I/O
     * @throws IOException the exception of the file's read
     */
    public FileBytes read(PageFile file, long address, int length, int aheadBytes, PageClass pageClass)
            throws IOException {
        PageRange range = PageRange.of(file, address, length, aheadBytes, pageBytes);
        List<ReadLease> leases = new ArrayList<>(range.pageCount());
        boolean complete = false;
        try {
            complete = leaseAll(file, range, pageClass, leases);
        } finally {
            if (!complete) {
                leases.forEach(ReadLease::close);
            }
        }
        return complete
                ? FileBytes.ofPages(leases, (int) (address % pageBytes), length)
                : readAround(file, address, length);
    }

    /** False if no page was free for one of the range. */
    private boolean leaseAll(PageFile file, PageRange range, PageClass pageClass, List<ReadLease> leases)
            throws IOException {
        while (leases.size() < range.pageCount()) {
            long pageNumber = range.first() + leases.size();
            ReadLease cached = tryGet(file, pageNumber, pageClass);
            if (cached != null) {
                leases.add(cached);
                continue;
            }
            List<CachedPage> loaded = loader.load(file, pageNumber, range, pageClass);
            if (loaded.isEmpty()) {
                return false;
            }
            loaded.forEach(page -> leases.add(new ReadLease(page, meter)));
        }
        return true;
    }

    /** Waits for other reads that bypass the cache while their total would be too large. */
    private FileBytes readAround(PageFile file, long address, int length) throws IOException {
        int permits = Math.min(length, limits.bypassBytes());
        takeBypassBytes(permits);
        try {
            meter.bypassed();
            ByteBuffer copy = ByteBuffer.allocate(length);
            for (int at = 0; at < length; at += AROUND_BYTES) {
                ByteBuffer part = copy.slice(at, Math.min(AROUND_BYTES, length - at));
                file.read(address + at, part);
                meter.read(part.capacity());
            }
            return FileBytes.ofCopy(copy, () -> bypassBytes.release(permits));
        } catch (IOException | RuntimeException | Error e) {
            bypassBytes.release(permits);
            throw e;
        }
    }

    private void takeBypassBytes(int permits) throws IOException {
        try {
            while (!bypassBytes.tryAcquire(permits, PageLoad.CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (hasFailed.getAsBoolean()) {
                    throw new IOException("the store has failed during a read");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted during a read", e);
        }
    }

    /** Reads into the caller's memory and keeps no page. */
    public void readPast(PageFile file, long address, ByteBuffer target) throws IOException {
        file.read(address, target);
        meter.read(target.limit());
    }

    /** Drops the scan pages that are completely inside this range, which a sequential reader has finished. */
    public void passed(PageFile file, long address, long length) {
        long first = (address + pageBytes - 1) / pageBytes;
        long end = (address + length) / pageBytes;
        for (long pageNumber = first; pageNumber < end; pageNumber++) {
            regions.pass(PageKey.of(file.fileNumber(), pageNumber));
        }
    }

    /** Drops all pages of a file without readers. */
    public void forget(PageFile file) {
        long pages = (file.lengthBytes() + pageBytes - 1) / pageBytes;
        for (long pageNumber = 0; pageNumber < pages; pageNumber++) {
            regions.drop(PageKey.of(file.fileNumber(), pageNumber));
        }
    }

    public CacheCounters counters() {
        return meter.snapshot();
    }

    /** Pages of the pool in use, cached or still pinned after their eviction. */
    public int pagesHeld() {
        return owner.held();
    }

    /** The number of pages that reads can find. */
    public long pagesCached() {
        return regions.size();
    }

    /** Leases given out and not closed. */
    public long openLeases() {
        return meter.openLeases();
    }
}
