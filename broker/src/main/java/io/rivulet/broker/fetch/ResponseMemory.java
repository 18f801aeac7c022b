package io.rivulet.broker.fetch;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The bytes of answers that wait to be written, over all connections. A share is an eighth of what is free at most: clients that do
 * not read what they asked for get less and less, and never all there is. When next to nothing is free, a fetch waits until something was written.
 *
 * <p>The bound is soft by one batch for each fetch under way: the first batch of an answer is sent whatever its size.
 *
 * <p>Thread-safe, guarded by its monitor; those who wait are told outside of it.
 */
public final class ResponseMemory {
    /** Nobody gets less, unless it is nothing. */
    static final int SMALLEST_SHARE_BYTES = 64 << 10;

    private static final int SHARES = 8;

    private final long maxBytes;
    private long usedBytes;
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    public ResponseMemory(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes as much as wanted, or a share; 0 when nothing is left: then try again {@link #whenFree}. */
    public synchronized int take(int wantedBytes) {
        long free = maxBytes - usedBytes;
        if (free < SMALLEST_SHARE_BYTES) {
            return 0;
        }
        int share = (int) Math.min(wantedBytes, Math.max(free / SHARES, SMALLEST_SHARE_BYTES));
        usedBytes += share;
        return share;
    }

    /** Runs the action once, on any thread, when it may be worth to try again: perhaps at once. */
    public void whenFree(Runnable action) {
        synchronized (this) {
            if (maxBytes - usedBytes < SMALLEST_SHARE_BYTES) {
                waiting.add(action);
                return;
            }
        }
        action.run();
    }

    /** Takes more or gives back, for an answer has turned out to be larger or smaller than its share. */
    public void add(long bytes) {
        Deque<Runnable> told = new ArrayDeque<>(0);
        synchronized (this) {
            usedBytes += bytes;
            if (bytes < 0 && !waiting.isEmpty() && maxBytes - usedBytes >= SMALLEST_SHARE_BYTES) {
                told.addAll(waiting);
                waiting.clear();
            }
        }
        told.forEach(Runnable::run);
    }

    public synchronized long usedBytes() {
        return usedBytes;
    }
}
