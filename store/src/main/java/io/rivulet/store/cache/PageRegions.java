package io.rivulet.store.cache;

import org.jspecify.annotations.Nullable;

/**
 * The cached pages, kept ones and passing ones, and who goes first. Holds one pin on each page in it.
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

    /** Drops a passing page behind a sequential reader. */
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

    /** Gives up pages that the policy has decided on already, and if there are none an idle passing one. */
    boolean makeRoom() {
        return kept.settle() > 0 || passing.evictIdle();
    }

    long size() {
        kept.settle();
        return kept.size() + passing.size();
    }
}
