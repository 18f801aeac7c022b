package io.rivulet.store.cache;

import io.rivulet.store.memory.PageOwner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * One page in use. It begins with one pin, which the cache holds. The thread that removes the last pin returns the page
 * to its pool: the cache when it evicts the page, or the last reader of an evicted page.
 *
 * <p>Any thread; the pins are an atomic count. The bytes don't change while threads other than the loader can use the
 * page.
 */
final class CachedPage {
    private static final VarHandle PINS;

    static {
        try {
            PINS = MethodHandles.lookup().findVarHandle(CachedPage.class, "pins", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long key;
    private final PageOwner owner;
    private final int page;
    private final ByteBuffer memory;

    @SuppressWarnings("UnusedVariable") // read and written through PINS
    private volatile int pins = 1;

    CachedPage(long key, PageOwner owner, int page, ByteBuffer memory) {
        this.key = key;
        this.owner = owner;
        this.page = page;
        this.memory = memory;
    }

    long key() {
        return key;
    }

    /** The page's memory; absolute access or a duplicate only. */
    ByteBuffer memory() {
        return memory;
    }

    /** Keeps the page until {@link #unpin}; false if it is already freed. */
    boolean pin() {
        int seen = pins;
        while (seen > 0) {
            int witness = (int) PINS.compareAndExchange(this, seen, seen + 1);
            if (witness == seen) {
                return true;
            }
            seen = witness;
        }
        return false;
    }

    void unpin() {
        int before = (int) PINS.getAndAdd(this, -1);
        if (before == 1) {
            owner.release(page);
        } else if (before < 1) {
            throw new IllegalStateException("page " + page + " unpinned more often than pinned");
        }
    }

    /** Whether only the cache holds it. May change at any time. */
    boolean isIdle() {
        return pins == 1;
    }
}
