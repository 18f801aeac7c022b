package io.rivulet.store.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slabs of direct memory of equal size, allocated one by one as needed, up to a fixed number, and kept as long as this
 * object lives. So an address that a reader has computed can become stale but never invalid.
 *
 * <p>The system zeroes memory page by page, so a large slab takes a while: {@link #prepare} allocates it on another
 * thread than the one that needs it.
 *
 * <p>Any thread; slabs are published by release and acquire. One is allocated at a time, guarded by {@code allocation};
 * taking an allocated slab does not wait for that.
 */
public final class Slabs {
    /** A slab is indexed by {@code int}. */
    public static final int MAX_SLAB_BYTES = 1 << 30;

    private static final Logger LOG = LoggerFactory.getLogger(Slabs.class);

    private final String name;
    private final int slabBytes;
    private final IntFunction<ByteBuffer> allocator;
    private final AtomicReferenceArray<@Nullable ByteBuffer> slabs;
    /** Locked before the monitor of this object, never inside it. */
    private final Object allocation = new Object();
    /** Guarded by this; the count may be read by any. */
    private final Deque<ByteBuffer> prepared = new ArrayDeque<>(1);

    private volatile int preparedCount;
    private volatile int count;
    private volatile boolean refused;

    public Slabs(String name, long capacityBytes, int slabBytes) {
        this(name, capacityBytes, slabBytes, ByteBuffer::allocateDirect);
    }

    /** @param allocator allocates a slab of so many bytes, or throws an OutOfMemoryError */
    public Slabs(String name, long capacityBytes, int slabBytes, IntFunction<ByteBuffer> allocator) {
        if (slabBytes < 1 || slabBytes > MAX_SLAB_BYTES) {
            throw new IllegalArgumentException(
                    name + ": a slab of " + slabBytes + " bytes, must be 1.." + MAX_SLAB_BYTES);
        }
        if (capacityBytes < slabBytes || capacityBytes / slabBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    name + ": capacity of " + capacityBytes + " bytes, must be at least one slab of " + slabBytes);
        }
        this.name = name;
        this.slabBytes = slabBytes;
        this.allocator = allocator;
        this.slabs = new AtomicReferenceArray<>((int) (capacityBytes / slabBytes));
    }

    /** Puts one more slab into use; false if all are in use, or if the JVM has no more memory. */
    public boolean grow() {
        while (!takePrepared()) {
            if (!prepare()) {
                return false;
            }
        }
        return true;
    }

    private synchronized boolean takePrepared() {
        ByteBuffer slab = prepared.poll();
        if (slab == null) {
            return false;
        }
        slabs.setRelease(count, slab);
        // In this order, so that their sum may be one too high, and one too many is never allocated.
        count = count + 1;
        preparedCount = prepared.size();
        return true;
    }

    /** Allocates the next slab if needed; false if there is none. */
    public boolean prepare() {
        synchronized (allocation) {
            return preparedCount > 0 || allocate();
        }
    }

    /** Allocates one more slab unless so many are prepared or there are no more; returns whether it did. */
    public boolean prepareAhead(int most) {
        synchronized (allocation) {
            return preparedCount < most && allocate();
        }
    }

    private boolean allocate() {
        if (!hasMore()) {
            return false;
        }
        try {
            ByteBuffer slab = allocator.apply(slabBytes);
            synchronized (this) {
                prepared.add(slab);
                preparedCount = prepared.size();
            }
            return true;
        } catch (OutOfMemoryError e) {
            refused = true;
            LOG.error(
                    "{}: {} slabs of {} bytes are configured, but the JVM gives only {}: raise -XX:MaxDirectMemorySize",
                    name,
                    slabs.length(),
                    slabBytes,
                    count + preparedCount);
            return false;
        }
    }

    private boolean hasMore() {
        return count + preparedCount < slabs.length() && !refused;
    }

    /** Whether {@link #prepareAhead} would do something. */
    public boolean lacks(int ahead) {
        return preparedCount < ahead && hasMore();
    }

    /** The slab, or null if it is not allocated. Absolute access only: all users share its position and limit. */
    public @Nullable ByteBuffer slab(int index) {
        return index >= 0 && index < slabs.length() ? slabs.getAcquire(index) : null;
    }

    public int slabBytes() {
        return slabBytes;
    }

    /** The number of allocated slabs. */
    public int count() {
        return count;
    }

    /** The greatest number of slabs. Falls to those that are there when the JVM has no memory for another one. */
    public int capacity() {
        return refused ? count + preparedCount : slabs.length();
    }

    /** Whether the JVM has refused memory, so that {@link #capacity} has fallen. */
    public boolean isRefused() {
        return refused;
    }

    public String name() {
        return name;
    }
}
