package io.rivulet.store.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.rivulet.store.failure.FailureLatch;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pages that Caffeine keeps by frequency and recency. Created with the first page, so that an idle broker does not
 * load Caffeine's classes.
 *
 * <p>Any thread.
 */
final class HotPages {
    private final int maxPages;
    private final CacheMeter meter;
    private volatile @Nullable Cache<Long, CachedPage> policy;

    HotPages(int maxPages, CacheMeter meter) {
        this.maxPages = maxPages;
        this.meter = meter;
    }

    @Nullable
    CachedPage get(long key) {
        Cache<Long, CachedPage> there = policy;
        return there == null ? null : there.getIfPresent(key);
    }

    boolean contains(long key) {
        Cache<Long, CachedPage> there = policy;
        return there != null && there.asMap().containsKey(key);
    }

    void forEachKey(LongConsumer keys) {
        Cache<Long, CachedPage> there = policy;
        if (there != null) {
            there.asMap().keySet().forEach(keys::accept);
        }
    }

    void put(CachedPage page) {
        policy().put(page.key(), page);
    }

    void drop(long key) {
        Cache<Long, CachedPage> there = policy;
        if (there != null) {
            there.invalidate(key);
        }
    }

    /** Evicts the pages that the policy has chosen; returns how many. */
    long settle() {
        Cache<Long, CachedPage> there = policy;
        if (there == null) {
            return 0;
        }
        long before = there.estimatedSize();
        there.cleanUp();
        return before - there.estimatedSize();
    }

    long size() {
        Cache<Long, CachedPage> there = policy;
        return there == null ? 0 : there.estimatedSize();
    }

    private Cache<Long, CachedPage> policy() {
        Cache<Long, CachedPage> there = policy;
        return there == null ? setUp() : there;
    }

    private synchronized Cache<Long, CachedPage> setUp() {
        Cache<Long, CachedPage> there = policy;
        if (there == null) {
            there = Caffeine.newBuilder()
                    .maximumSize(maxPages)
                    .executor(Runnable::run)
                    .removalListener(this::onRemoval)
                    .build();
            policy = there;
        }
        return there;
    }

    /** Caffeine would only log an exception, and the page would be lost. */
    private void onRemoval(@Nullable Long key, @Nullable CachedPage page, RemovalCause cause) {
        if (page == null) {
            return;
        }
        try {
            if (cause == RemovalCause.SIZE) {
                meter.evicted();
            }
            page.unpin();
        } catch (Throwable e) {
            FailureLatch.uncaught(e);
        }
    }
}
