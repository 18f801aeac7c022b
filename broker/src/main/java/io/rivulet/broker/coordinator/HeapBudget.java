package io.rivulet.broker.coordinator;

/**
 * Counts approximately the heap that clients can make groups take. At the limit, requests that need more are refused.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class HeapBudget {
    private final long limitBytes;
    private long usedBytes;

    public HeapBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Adds to the bytes in use; negative to release. */
    public void add(long bytes) {
        usedBytes += bytes;
    }

    /** Requests that need no more bytes always have room. */
    public boolean hasRoomFor(long bytes) {
        return bytes <= 0 || usedBytes + bytes <= limitBytes;
    }

    public long usedBytes() {
        return usedBytes;
    }
}
