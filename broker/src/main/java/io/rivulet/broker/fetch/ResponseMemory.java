package io.rivulet.broker.fetch;

import java.util.ArrayList;
import java.util.List;

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
    private final List<Waiter> waiting = new ArrayList<>();

    private record Waiter(long bytes, Runnable action) {}

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

    /** Takes all of it, or nothing; what is more than there ever is, when nothing else is taken. */
    public synchronized boolean takeAll(long bytes) {
        if (!isFree(bytes)) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    private boolean isFree(long bytes) {
        return bytes <= maxBytes - usedBytes || usedBytes == 0;
    }

    /** Runs the action once, on any thread, when it may be worth to try {@link #take} again: perhaps at once. */
    public void whenFree(Runnable action) {
        whenFree(SMALLEST_SHARE_BYTES, action);
    }

    /** The same for {@link #takeAll}. */
    public void whenFree(long bytes, Runnable action) {
        synchronized (this) {
            if (!isFree(bytes)) {
                waiting.add(new Waiter(bytes, action));
                return;
            }
        }
        action.run();
    }

    /** Takes more or gives back, for an answer has turned out to be larger or smaller than its share. */
    public void add(long bytes) {
        List<Runnable> told = new ArrayList<>(0);
        synchronized (this) {
            usedBytes += bytes;
            if (bytes < 0 && !waiting.isEmpty()) {
                waiting.removeIf(waiter -> isFree(waiter.bytes) && told.add(waiter.action));
            }
        }
        told.forEach(Runnable::run);
    }

    public synchronized long usedBytes() {
        return usedBytes;
    }
}
