package io.rivulet.store.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages of one size, cut from {@link Slabs}. Each page is free, or held by exactly one owner; releasing another
 * owner's page throws. The page released last is acquired first, so little memory is touched.
 *
 * <p>Any thread; the bookkeeping is guarded by this object's monitor. The bytes of a page belong to its owner.
 */
public final class PagePool {
    /** The result of {@link PageOwner#acquire} if all pages are held. */
    public static final int NONE = -1;

    private static final byte FREE = 0;

    private final Slabs slabs;
    private final int pageBytes;
    private final int pagesPerSlab;
    private final @Nullable ByteBuffer[] pages;
    private final byte[] ownerOf;
    private final int[] free;
    private int freeCount;
    private int knownPages;
    private final List<PageOwner> owners = new ArrayList<>();

    /** Allocates nothing before the first page is acquired. */
    public PagePool(String name, long capacityBytes, int pageBytes, int slabBytes) {
        if (pageBytes < 1 || slabBytes % pageBytes != 0) {
            throw new IllegalArgumentException(name + ": slabs of " + slabBytes + " bytes can't be cut into pages of "
                    + pageBytes + " bytes without a rest");
        }
        this.slabs = new Slabs(name, capacityBytes, slabBytes);
        this.pageBytes = pageBytes;
        this.pagesPerSlab = slabBytes / pageBytes;
        int capacityPages = Math.multiplyExact(pagesPerSlab, slabs.capacity());
        this.pages = new ByteBuffer[capacityPages];
        this.ownerOf = new byte[capacityPages];
        this.free = new int[capacityPages];
    }

    /** Registers a holder of pages. */
    public synchronized PageOwner owner(String ownerName) {
        if (owners.size() == Byte.MAX_VALUE) {
            throw new IllegalStateException(slabs.name() + ": more than " + Byte.MAX_VALUE + " owners of pages");
        }
        PageOwner owner = new PageOwner(this, ownerName, (byte) (owners.size() + 1));
        owners.add(owner);
        return owner;
    }

    /** The page's memory, from 0 to {@link #pageBytes}. One object for each page: absolute access, or a duplicate. */
    public ByteBuffer page(int page) {
        ByteBuffer memory = pages[page];
        if (memory == null) {
            throw new IllegalStateException(slabs.name() + ": page " + page + " was never acquired");
        }
        return memory;
    }

    public int pageBytes() {
        return pageBytes;
    }

    public int capacityPages() {
        return Math.multiplyExact(pagesPerSlab, slabs.capacity());
    }

    /**
     * The invariant PagesBalanced: each page is free or has one holder, and each owner holds as many as it acquired.
     */
    public synchronized void requireBalanced() {
        int[] held = new int[owners.size() + 1];
        for (int page = 0; page < knownPages; page++) {
            held[ownerOf[page]]++;
        }
        for (PageOwner owner : owners) {
            if (held[owner.number] != owner.held()) {
                throw new IllegalStateException("PagesBalanced: " + slabs.name() + ": " + owner.name() + " counts "
                        + owner.held() + " pages, the pool " + held[owner.number]);
            }
        }
        boolean[] listed = new boolean[knownPages];
        for (int page : Arrays.copyOf(free, freeCount)) {
            if (ownerOf[page] != FREE || listed[page]) {
                throw new IllegalStateException(
                        "PagesBalanced: " + slabs.name() + ": page " + page + " is not free once");
            }
            listed[page] = true;
        }
        if (held[FREE] != freeCount) {
            throw new IllegalStateException("PagesBalanced: " + slabs.name() + ": a free page is not listed");
        }
    }

    synchronized int acquire(PageOwner owner) {
        if (freeCount == 0 && !cutNextPage()) {
            return NONE;
        }
        int page = free[--freeCount];
        ownerOf[page] = owner.number;
        owner.acquired++;
        return page;
    }

    synchronized void release(PageOwner owner, int page) {
        if (page < 0 || page >= knownPages || ownerOf[page] != owner.number) {
            throw new IllegalStateException(
                    slabs.name() + ": " + owner.name() + " releases page " + page + ", which it does not hold");
        }
        ownerOf[page] = FREE;
        free[freeCount++] = page;
        owner.released++;
    }

    synchronized int heldBy(PageOwner owner) {
        return (int) (owner.acquired - owner.released);
    }

    private boolean cutNextPage() {
        int page = knownPages;
        if (page == slabs.count() * pagesPerSlab && !slabs.grow()) {
            return false;
        }
        ByteBuffer slab = slabs.slab(page / pagesPerSlab);
        if (slab == null) {
            throw new IllegalStateException(slabs.name() + ": slab of page " + page + " is not allocated");
        }
        pages[page] = slab.slice(page % pagesPerSlab * pageBytes, pageBytes);
        free[freeCount++] = page;
        knownPages = page + 1;
        return true;
    }
}
