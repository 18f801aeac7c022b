package io.rivulet.store.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import org.jspecify.annotations.Nullable;

/**
 * The cached pages, kept ones and passing ones, and who goes first. Holds one pin on each page in it.
 *
 * <p>Any thread.
 */
final class PageRegions {
    private final CacheMeter meter;
    private final Cache<Long, CachedPage> kept;
    private final PassingPages passing;

    PageRegions(CacheLimits limits, CacheMeter meter) {
        this.meter = meter;
        this.passing = new PassingPages(limits.passingPages(), meter);
        this.kept = Caffeine.newBuilder()
                .maximumSize(limits.keptPages())
                .executor(Runnable::run)
                .removalListener(this::onRemoval)
                .build();
    }

    private void onRemoval(@Nullable Long key, @Nullable CachedPage page, RemovalCause cause) {
        if (page != null) {
            if (cause == RemovalCause.SIZE) {
                meter.evicted();
            }
            page.unpin();
        }
    }

    /** Pins a cached page for a reader of this class; null when it is not here. */
    @Nullable
    CachedPage pin(long key, PageClass pageClass) {
        CachedPage page = kept.getIfPresent(key);
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
            kept.put(key, page);
        }
    }

    boolean contains(long key) {
        return passing.contains(key) || kept.asMap().containsKey(key);
    }

    /** Takes over the pin that the page was made with. */
    void put(CachedPage page, PageClass pageClass) {
        if (pageClass == PageClass.TAIL) {
            kept.put(page.key(), page);
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
        kept.invalidate(key);
        CachedPage page = passing.take(key);
        if (page != null) {
            page.unpin();
        }
    }

    /** Gives up pages that the policy has decided on already, and if there are none an idle passing one. */
    boolean makeRoom() {
        long before = kept.estimatedSize();
        kept.cleanUp();
        return kept.estimatedSize() < before || passing.evictIdle();
    }

    long size() {
        kept.cleanUp();
        return kept.estimatedSize() + passing.size();
    }
}
