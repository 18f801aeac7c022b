package io.rivulet.store.tail;

import io.rivulet.store.memory.Slabs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Layout, allocation and addresses of chunks.
 *
 * <pre>
 * chunk   | link: handle of the next one (4) | bytes of the stream (252) |
 * </pre>
 *
 * A handle is the chunk's number over all slabs, from 1; 0 is none, and its 256 bytes stay unused. The link of the last
 * chunk of a chain has no meaning. The chunk freed last is acquired first, and unused chunks come after all freed ones,
 * so that little memory is touched.
 *
 * <p>Owned by: log-writer thread. Any thread may address chunks, also with a handle that is garbage.
 */
final class ChunkPool {
    static final int CHUNK_SHIFT = 8;
    static final int CHUNK_BYTES = 1 << CHUNK_SHIFT;
    static final int LINK_BYTES = 4;
    static final int STREAM_BYTES = CHUNK_BYTES - LINK_BYTES;
    static final int NONE = 0;

    private static final int LINE_BYTES = 64;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle USED;

    static {
        try {
            USED = MethodHandles.lookup().findVarHandle(ChunkPool.class, "used", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Half of a tail of the usual size. */
    private static final int MOST_SLABS_AHEAD = 8;

    private static final int STACK_PART_SHIFT = 14;
    private static final int STACK_PART = 1 << STACK_PART_SHIFT;

    private final Slabs slabs;
    private final int chunksPerSlabShift;
    private final int slabMask;

    /** The writer's own copy of the slabs, which it may read without ordering. */
    private final ByteBuffer[] ownSlabs;

    private int ownCount;
    private int[][] stack = new int[0][];
    private int stacked;
    private int nextFresh = 1;
    private int reserved;

    @SuppressWarnings("UnusedVariable") // read and written through USED
    private int used;

    ChunkPool(Slabs slabs) {
        if (Integer.bitCount(slabs.slabBytes()) != 1 || slabs.slabBytes() < 2 * CHUNK_BYTES) {
            throw new IllegalArgumentException("slabs of the tail must be a power of two of at least " + 2 * CHUNK_BYTES
                    + " bytes, not " + slabs.slabBytes());
        }
        this.slabs = slabs;
        this.chunksPerSlabShift = Integer.numberOfTrailingZeros(slabs.slabBytes()) - CHUNK_SHIFT;
        this.slabMask = (1 << chunksPerSlabShift) - 1;
        if ((long) slabs.capacity() << chunksPerSlabShift > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the tail can't have more than " + Integer.MAX_VALUE + " chunks");
        }
        this.ownSlabs = new ByteBuffer[slabs.capacity()];
    }

    // ---- log-writer thread ----

    /** Reserves chunks; false if not so many are free and unreserved. Allocates memory if needed. */
    boolean reserve(int chunks) {
        while (allocated() - used() - reserved < chunks) {
            if (!addSlab()) {
                return false;
            }
        }
        reserved += chunks;
        return true;
    }

    void unreserve(int chunks) {
        if (chunks > reserved) {
            throw new IllegalStateException("unreserves " + chunks + " chunks of " + reserved);
        }
        reserved -= chunks;
    }

    /** Chunks in chains or freed: the handles below it. */
    int nextFresh() {
        return nextFresh;
    }

    /** The freed chunks, for a check that none is also in a chain. */
    int[] freed() {
        return IntStream.range(0, stacked)
                .map(i -> stack[i >>> STACK_PART_SHIFT][i & STACK_PART - 1])
                .toArray();
    }

    int reserved() {
        return reserved;
    }

    int acquire() {
        int chunk;
        if (stacked > 0) {
            stacked--;
            chunk = stack[stacked >>> STACK_PART_SHIFT][stacked & STACK_PART - 1];
        } else if (nextFresh <= allocated() || addSlab()) {
            chunk = nextFresh++;
        } else {
            throw new IllegalStateException("no free chunk: appended more than was reserved");
        }
        USED.setOpaque(this, used + 1);
        return chunk;
    }

    void free(int chunk) {
        int part = stacked >>> STACK_PART_SHIFT;
        growTo(part);
        stack[part][stacked & STACK_PART - 1] = chunk;
        stacked++;
        USED.setOpaque(this, used - 1);
    }

    /** Frees the chunks with indexes {@code [from, to)} of the array. Touches none of them. */
    void free(int[] chunks, int from, int to) {
        for (int at = from; at < to; ) {
            int part = stacked >>> STACK_PART_SHIFT;
            int inPart = stacked & STACK_PART - 1;
            growTo(part);
            int length = Math.min(to - at, STACK_PART - inPart);
            System.arraycopy(chunks, at, stack[part], inPart, length);
            stacked += length;
            at += length;
        }
        USED.setOpaque(this, used - (to - from));
    }

    private void growTo(int part) {
        if (part == stack.length) {
            stack = Arrays.copyOf(stack, part + 1);
            stack[part] = new int[STACK_PART];
        }
    }

    /** The slab of a chunk that was acquired. */
    ByteBuffer ownSlab(int chunk) {
        return ownSlabs[chunk >>> chunksPerSlabShift];
    }

    int ownLink(int chunk) {
        return (int) INT.get(ownSlab(chunk), base(chunk));
    }

    void setLink(int chunk, int next) {
        INT.set(ownSlab(chunk), base(chunk), next);
    }

    /** Loads what an append at this place will write into the cache. The chunk may be none. */
    int touch(int chunk, int writeAt) {
        ByteBuffer slab = ownSlabs[chunk >>> chunksPerSlabShift];
        int base = base(chunk);
        return slab.get(base + Math.min(writeAt, CHUNK_BYTES - 1))
                + slab.get(base + Math.min(writeAt + LINE_BYTES, CHUNK_BYTES - 1));
    }

    /** The same for the chunks that will be acquired next. */
    int touchFree(int count) {
        int sum = 0;
        for (int i = stacked - 1, end = Math.max(0, stacked - count); i >= end; i--) {
            int chunk = stack[i >>> STACK_PART_SHIFT][i & STACK_PART - 1];
            sum += ownSlab(chunk).get(base(chunk));
        }
        return sum;
    }

    private int allocated() {
        return Math.max(0, (ownCount << chunksPerSlabShift) - 1);
    }

    private boolean addSlab() {
        if (!slabs.grow()) {
            return false;
        }
        ownSlabs[ownCount] = Objects.requireNonNull(slabs.slab(ownCount));
        ownCount++;
        return true;
    }

    // ---- any thread; the handle may be garbage ----

    /** The slab that holds the chunk; null when there is no such chunk. */
    @Nullable
    ByteBuffer slab(int chunk) {
        return chunk == NONE ? null : slabs.slab(chunk >>> chunksPerSlabShift);
    }

    /** Where in its slab the chunk begins. */
    int base(int chunk) {
        return (chunk & slabMask) << CHUNK_SHIFT;
    }

    /** Loads each line of the chunk in this slab into the cache. */
    int touch(ByteBuffer slab, int chunk) {
        int base = base(chunk);
        return slab.get(base)
                + slab.get(base + LINE_BYTES)
                + slab.get(base + 2 * LINE_BYTES)
                + slab.get(base + 3 * LINE_BYTES);
    }

    /** The handle of the next chunk; {@link #NONE} if there is no such chunk. */
    int link(int chunk) {
        ByteBuffer slab = slab(chunk);
        return slab == null ? NONE : (int) INT.get(slab, base(chunk));
    }

    /**
     * Whether less than half a slab is free and the next one is not prepared. An idle tail has none, and needs none.
     */
    boolean wantsSlab() {
        int inUse = slabs.count();
        int free = (inUse << chunksPerSlabShift) - used();
        return inUse > 0 && free < 1 << (chunksPerSlabShift - 1) && slabs.lacks(1);
    }

    void prepareSlab() {
        slabs.prepare();
    }

    boolean prepareSlabsFor(long bytes) {
        return slabs.prepareAhead(slabsAheadFor(bytes));
    }

    boolean lacksSlabsFor(long bytes) {
        return slabs.lacks(slabsAheadFor(bytes));
    }

    /** For half of the bytes: the tail may not hold the rest. */
    private int slabsAheadFor(long bytes) {
        return (int) Math.min(MOST_SLABS_AHEAD, bytes / 2 / slabs.slabBytes());
    }

    /** Whether the JVM gives no memory for so many chunks. */
    boolean canNeverHold(int chunks) {
        return slabs.isRefused() && capacity() < chunks;
    }

    int capacity() {
        return Math.max(0, (slabs.capacity() << chunksPerSlabShift) - 1);
    }

    /** Chunks in chains. */
    int used() {
        return (int) USED.getOpaque(this);
    }
}
