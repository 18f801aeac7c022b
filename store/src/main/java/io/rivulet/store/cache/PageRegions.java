package io.rivulet.store.cache;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The cached pages, hot pages and scan pages, and the order of eviction. Holds one pin on each page.
 *
 * <p>Any thread.
 */
final class PageRegions {
    private final CacheMeter meter;
    private final HotPages kept;
    private final ScanPages passing;

    PageRegions(CacheLimits limits, CacheMeter meter) {
        this.meter = meter;
        this.passing = new ScanPages(limits.passingPages(), meter);
        this.kept = new HotPages(limits.keptPages(), meter);
    }

    /** Pins a cached page for a reader of this class; null when it is not here. */
    @Nullable
    CachedPage pin(long key, PageClass pageClass) {
        CachedPage page = kept.get(key);
        if (page != null && page.pin()) {
            meter.hit(PageClass.TAIL);
            return page;
        }
        page = passing.pin(key);
        if (page != null && pageClass == PageClass.TAIL) {
            promote(key);
        }
        return page;
    }

    private void promote(long key) {
        CachedPage page = passing.take(key);
        if (page != null) {
            meter.promoted();
            kept.put(page);
        }
    }

    void forEachKey(LongConsumer keys) {
        kept.forEachKey(keys);
        passing.forEachKey(keys);
    }

    boolean contains(long key) {
        return passing.contains(key) || kept.contains(key);
    }

    /** Takes over the pin that the page was made with. */
    void put(CachedPage page, PageClass pageClass) {
        if (pageClass == PageClass.TAIL) {
            kept.put(page);
        } else {
            passing.put(page, pageClass);
        }
    }

    /** Drops a scan page after a sequential reader. */
    void pass(long key) {
        CachedPage page = passing.take(key);
        if (page != null) {
            meter.passed();
            page.unpin();
        }
    }

    /** Drops the page wherever it is. */
    void drop(long key) {
        kept.drop(key);
        CachedPage page = passing.take(key);
        if (page != null) {
            page.unpin();
        }
    }

    /** Evicts the pages that the policy has chosen; without any, an idle scan page. */
    boolean makeRoom() {
        return kept.settle() > 0 || passing.evictIdle();
    }

    long size() {
        kept.settle();
        return kept.size() + passing.size();
    }
}
