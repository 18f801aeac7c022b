package io.rivulet.store.memory;

/**
 * A holder of pages of a {@link PagePool}; the only way to acquire and release them.
 *
 * <p>Any thread. The counters are guarded by the pool.
 */
public final class PageOwner {
    private final PagePool pool;
    private final String name;
    final byte number;
    long acquired;
    long released;

    PageOwner(PagePool pool, String name, byte number) {
        this.pool = pool;
        this.name = name;
        this.number = number;
    }

    /** Acquires a page, whose bytes are undefined; or {@link PagePool#NONE}. */
    public int acquire() {
        return pool.acquire(this);
    }

    /** Releases the page; throws if this owner does not hold it. */
    public void release(int page) {
        pool.release(this, page);
    }

    /** Pages acquired and not released. */
    public int held() {
        return pool.heldBy(this);
    }

    public String name() {
        return name;
    }
}
