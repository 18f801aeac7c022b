package io.rivulet.store.cache;

import io.rivulet.store.memory.PageOwner;
import io.rivulet.store.memory.PagePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Loads pages from files into the cache: one I/O for concurrent readers of a page, one I/O for neighbouring absent
 * pages. A thread claims pages in {@code loads} and loads them before it waits for anything, so claims can't wait for
 * each other.
 *
 * <p>Any thread that may wait for a disk.
 */
final class PageLoader {
    private final PagePool pool;
    private final PageOwner owner;
    private final PageRegions regions;
    private final CacheMeter meter;
    private final RunBuffers runBuffers;
    private final BooleanSupplier hasFailed;
    private final ConcurrentHashMap<Long, PageLoad> loads = new ConcurrentHashMap<>();

    PageLoader(
            PagePool pool,
            PageOwner owner,
            PageRegions regions,
            CacheLimits limits,
            CacheMeter meter,
            BooleanSupplier hasFailed) {
        this.hasFailed = hasFailed;
        this.pool = pool;
        this.owner = owner;
        this.regions = regions;
        this.meter = meter;
        this.runBuffers = new RunBuffers(limits.runBuffers(), limits.runBytes());
    }

    /**
     * Loads an absent page of the range, and the pages after it that one I/O can read. Returns the loaded pages that
     * the range needs, pinned for the caller: at least one, or none if no page is free.
     */
    List<CachedPage> load(PageFile file, long pageNumber, PageRange range, PageClass pageClass) throws IOException {
        long key = PageKey.of(file.fileNumber(), pageNumber);
        while (true) {
            PageLoad claim = new PageLoad();
            PageLoad other = loads.putIfAbsent(key, claim);
            if (other == null) {
                return loadClaimed(file, pageNumber, range, pageClass, claim);
            }
            meter.joined();
            other.await(hasFailed);
            CachedPage page = regions.pin(key, pageClass);
            if (page != null) {
                return List.of(page);
            }
        }
    }

    private List<CachedPage> loadClaimed(
            PageFile file, long pageNumber, PageRange range, PageClass pageClass, PageLoad claim) throws IOException {
        Run run = new Run(file, pageNumber, claim);
        try {
            CachedPage loadedMeanwhile = regions.pin(run.key(0), pageClass);
            if (loadedMeanwhile != null) {
                return List.of(loadedMeanwhile);
            }
            if (!run.acquirePage()) {
                return List.of();
            }
            run.claimFurther(range.aheadEnd());
            run.read();
            return run.publish(range.end(), pageClass);
        } catch (IOException | RuntimeException | Error e) {
            claim.fail(e);
            throw e;
        } finally {
            run.giveUpClaims();
        }
    }

    private @Nullable CachedPage newPage(long key) {
        int page = owner.acquire();
        while (page == PagePool.NONE && regions.makeRoom()) {
            page = owner.acquire();
        }
        return page == PagePool.NONE ? null : new CachedPage(key, owner, page, pool.page(page));
    }

    /** Neighbouring pages, claimed by one thread, which reads them with one I/O. */
    private final class Run {
        private final PageFile file;
        private final long firstPage;
        private final List<PageLoad> claims = new ArrayList<>(1);
        private final List<CachedPage> pages = new ArrayList<>(1);

        Run(PageFile file, long firstPage, PageLoad claim) {
            this.file = file;
            this.firstPage = firstPage;
            claims.add(claim);
        }

        long key(int index) {
            return PageKey.of(file.fileNumber(), firstPage + index);
        }

        boolean acquirePage() {
            CachedPage page = newPage(key(pages.size()));
            return page != null && pages.add(page);
        }

        /** Adds the following absent pages that no other thread loads, as many as a run buffer holds. */
        void claimFurther(long endPage) {
            long most = Math.min(endPage - firstPage, runBuffers.bufferBytes() / pool.pageBytes());
            while (pages.size() < most && claimNext()) {
                if (regions.contains(key(pages.size())) || !acquirePage()) {
                    giveUpClaim(claims.size() - 1);
                    return;
                }
            }
        }

        private boolean claimNext() {
            PageLoad claim = new PageLoad();
            return loads.putIfAbsent(key(pages.size()), claim) == null && claims.add(claim);
        }

        void read() throws IOException {
            ByteBuffer buffer = pages.size() == 1 ? null : runBuffers.acquire();
            if (buffer == null) {
                readFirstAlone();
                return;
            }
            try {
                readAll(buffer);
            } catch (IOException e) {
                readFirstAlone();
            } finally {
                runBuffers.release(buffer);
            }
        }

        private void readAll(ByteBuffer buffer) throws IOException {
            buffer.clear().limit((int) bytesInFile(pages.size()));
            file.read(firstPage * pool.pageBytes(), buffer);
            meter.read(buffer.limit());
            for (int i = 0; i < pages.size(); i++) {
                int from = i * pool.pageBytes();
                int bytes = Math.min(pool.pageBytes(), buffer.limit() - from);
                pages.get(i).memory().put(0, buffer, from, bytes);
            }
        }

        private void readFirstAlone() throws IOException {
            while (pages.size() > 1) {
                pages.remove(pages.size() - 1).unpin();
            }
            ByteBuffer memory = pages.get(0).memory().duplicate().clear().limit((int) bytesInFile(1));
            file.read(firstPage * pool.pageBytes(), memory);
            meter.read(memory.limit());
        }

        private long bytesInFile(int pageCount) {
            long from = firstPage * pool.pageBytes();
            return Math.min((long) pageCount * pool.pageBytes(), file.lengthBytes() - from);
        }

        /**
         * Pins the wanted pages for the caller and puts all into the cache, which takes over the pins they came with.
         */
        List<CachedPage> publish(long wantedEnd, PageClass pageClass) {
            List<CachedPage> wanted = new ArrayList<>(pages.size());
            for (int i = 0; i < pages.size(); i++) {
                CachedPage page = pages.get(i);
                boolean isWanted = firstPage + i < wantedEnd;
                if (isWanted && page.pin()) {
                    wanted.add(page);
                }
                PageClass putAs = isWanted ? pageClass : PageClass.READ_AHEAD;
                meter.miss(putAs);
                regions.put(page, putAs);
            }
            pages.clear();
            return wanted;
        }

        /** Frees unpublished pages and wakes the waiting threads, which find the page or load it themselves. */
        void giveUpClaims() {
            pages.forEach(CachedPage::unpin);
            for (int i = claims.size() - 1; i >= 0; i--) {
                giveUpClaim(i);
            }
        }

        private void giveUpClaim(int index) {
            loads.remove(key(index), claims.get(index));
            claims.remove(index).complete();
        }
    }
}
