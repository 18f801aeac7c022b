package io.rivulet.broker.fetch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sessions to notify when a queue grows. It takes 4 bytes for each queue of the chunks of 4,096 ids in which any
 * session is interested, and 12 for each interest. A queue without interest costs its appends two loads.
 *
 * <p>Thread-safe: the monitor of a chunk guards it, and is held while sessions are notified. A session that registers
 * and then reads the queue misses no records: because of the fences on both sides, either its read sees the growth, or
 * the growth sees the interest.
 */
public final class QueueInterest {
    private static final int CHUNK_SHIFT = 12;
    private static final int QUEUES = 1 << CHUNK_SHIFT;
    private static final int NONE = 0;
    private static final int INITIAL_NODES = 16;
    private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(int[].class);

    private volatile @Nullable Chunk[] chunks = {};

    /** Notifies the session, with this slot, when the queue grows. */
    void add(int queueId, FetchSession session, int slot) {
        Chunk there = chunk(queueId);
        Chunk chunk = there != null ? there : chunkFor(queueId >>> CHUNK_SHIFT);
        synchronized (chunk) {
            chunk.add(queueId & QUEUES - 1, session, slot);
        }
        VarHandle.fullFence();
    }

    void remove(int queueId, FetchSession session, int slot) {
        Chunk chunk = chunk(queueId);
        if (chunk != null) {
            synchronized (chunk) {
                chunk.remove(queueId & QUEUES - 1, session, slot);
            }
        }
    }

    /**
     * Called before {@link #grown}. Sessions that register later see the growth. Once for many queues, because of its
     * cost.
     */
    public void growing() {
        VarHandle.fullFence();
    }

    /**
     * The queue has grown by so many bytes, which can be read; {@link #growing} was called after that. Any thread. Does
     * not block for long.
     */
    public void grown(int queueId, int bytes) {
        Chunk chunk = chunk(queueId);
        if (chunk == null || (int) HEAD.getOpaque(chunk.heads, queueId & QUEUES - 1) == NONE) {
            return;
        }
        synchronized (chunk) {
            for (int node = chunk.heads[queueId & QUEUES - 1]; node != NONE; node = chunk.nexts[node]) {
                sessionAt(chunk, node).grown(chunk.slots[node], bytes);
            }
        }
    }

    /** The queues were deleted: fetches that wait for them wake up. */
    public void queuesDeleted(int firstQueueId, int count) {
        growing();
        for (int queueId = firstQueueId; queueId < firstQueueId + count; queueId++) {
            grown(queueId, Integer.MAX_VALUE);
        }
    }

    private static FetchSession sessionAt(Chunk chunk, int node) {
        FetchSession session = chunk.sessions[node];
        if (session == null) {
            throw new IllegalStateException("a free node is in a chain");
        }
        return session;
    }

    private @Nullable Chunk chunk(int queueId) {
        @Nullable Chunk[] all = chunks;
        int index = queueId >>> CHUNK_SHIFT;
        return index < all.length ? all[index] : null;
    }

    private synchronized Chunk chunkFor(int index) {
        Chunk chunk = index < chunks.length ? chunks[index] : null;
        if (chunk == null) {
            @Nullable Chunk[] grown = Arrays.copyOf(chunks, Math.max(chunks.length, index + 1));
            chunk = new Chunk();
            grown[index] = chunk;
            chunks = grown;
        }
        return chunk;
    }

    /** Chains of nodes; node 0 does not exist. Guarded by its monitor. */
    private static final class Chunk {
        private final int[] heads = new int[QUEUES];
        private @Nullable FetchSession[] sessions = new FetchSession[INITIAL_NODES];
        private int[] slots = new int[INITIAL_NODES];
        private int[] nexts = new int[INITIAL_NODES];
        private int used = 1;
        private int free = NONE;

        void add(int queue, FetchSession session, int slot) {
            int node = free;
            if (node != NONE) {
                free = nexts[node];
            } else {
                if (used == slots.length) {
                    sessions = Arrays.copyOf(sessions, used + (used >> 1));
                    slots = Arrays.copyOf(slots, sessions.length);
                    nexts = Arrays.copyOf(nexts, sessions.length);
                }
                node = used++;
            }
            sessions[node] = session;
            slots[node] = slot;
            nexts[node] = heads[queue];
            HEAD.setOpaque(heads, queue, node);
        }

        void remove(int queue, FetchSession session, int slot) {
            int before = NONE;
            for (int node = heads[queue]; node != NONE; node = nexts[node]) {
                if (sessions[node] == session && slots[node] == slot) {
                    if (before == NONE) {
                        HEAD.setOpaque(heads, queue, nexts[node]);
                    } else {
                        nexts[before] = nexts[node];
                    }
                    sessions[node] = null;
                    nexts[node] = free;
                    free = node;
                    return;
                }
                before = node;
            }
        }
    }
}
