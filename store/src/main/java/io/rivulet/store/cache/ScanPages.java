package io.rivulet.store.cache;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pages of readers that read once: a bounded share of the cache, so that scans can't evict hot pages. Pages that
 * were read are evicted first, the least recently used before the others. Pages that were read ahead are evicted only
 * for newer ones, and take at most half.
 *
 * <p>This is no Caffeine cache, because recency must decide and not frequency: a page that was read ahead has not been
 * used yet, so an admission by frequency would reject exactly the page that is needed next.
 *
 * <p>Any thread; guarded by its monitor, held for a map operation only, never for an I/O.
 */
final class ScanPages {
    private final int maxPages;
    private final Map<Long, CachedPage> ahead = new LinkedHashMap<>();
    private final Map<Long, CachedPage> scanned = new LinkedHashMap<>(16, 0.75f, true);
    private final CacheMeter meter;

    ScanPages(int maxPages, CacheMeter meter) {
        this.maxPages = maxPages;
        this.meter = meter;
    }

    /** Takes the cache's pin over. */
    void put(CachedPage page, PageClass pageClass) {
        for (CachedPage evicted : putAndEvict(page, pageClass)) {
            meter.evicted();
            evicted.unpin();
        }
    }

    private synchronized List<CachedPage> putAndEvict(CachedPage page, PageClass pageClass) {
        List<CachedPage> evicted = new ArrayList<>(1);
        CachedPage before = take(page.key());
        if (before != null) {
            evicted.add(before);
        }
        if (pageClass == PageClass.READ_AHEAD) {
            ahead.put(page.key(), page);
            if (ahead.size() > Math.max(1, maxPages / 2)) {
                evicted.add(removeEldest(ahead));
            }
        } else {
            scanned.put(page.key(), page);
        }
        if (ahead.size() + scanned.size() > maxPages) {
            evicted.add(removeEldest(scanned.isEmpty() ? ahead : scanned));
        }
        return evicted;
    }

    private static CachedPage removeEldest(Map<Long, CachedPage> pages) {
        Iterator<CachedPage> eldest = pages.values().iterator();
        CachedPage page = eldest.next();
        eldest.remove();
        return page;
    }

    /** Pins the page for a reader, and counts it as read from now on. */
    synchronized @Nullable CachedPage pin(long key) {
        CachedPage page = scanned.get(key);
        if (page == null) {
            page = ahead.remove(key);
            if (page == null) {
                return null;
            }
            scanned.put(key, page);
            meter.hit(PageClass.READ_AHEAD);
        } else {
            meter.hit(PageClass.SCAN);
        }
        return page.pin() ? page : null;
    }

    synchronized void forEachKey(LongConsumer keys) {
        ahead.keySet().forEach(keys::accept);
        scanned.keySet().forEach(keys::accept);
    }

    synchronized boolean contains(long key) {
        return scanned.containsKey(key) || ahead.containsKey(key);
    }

    /** Removes the page and hands the cache's pin to the caller. */
    synchronized @Nullable CachedPage take(long key) {
        CachedPage page = scanned.remove(key);
        return page != null ? page : ahead.remove(key);
    }

    /** Frees one page without readers; false if there is none. */
    boolean evictIdle() {
        CachedPage page = takeIdle();
        if (page == null) {
            return false;
        }
        meter.evicted();
        page.unpin();
        return true;
    }

    private synchronized @Nullable CachedPage takeIdle() {
        CachedPage page = takeIdle(scanned);
        return page != null ? page : takeIdle(ahead);
    }

    private static @Nullable CachedPage takeIdle(Map<Long, CachedPage> pages) {
        for (Iterator<CachedPage> eldest = pages.values().iterator(); eldest.hasNext(); ) {
            CachedPage page = eldest.next();
            if (page.isIdle()) {
                eldest.remove();
                return page;
            }
        }
        return null;
    }

    synchronized int size() {
        return ahead.size() + scanned.size();
    }
}
