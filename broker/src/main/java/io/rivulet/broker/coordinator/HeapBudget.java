package io.rivulet.broker.coordinator;

/**
 * How much heap groups take, about: what clients can make grow is counted, and when it is too much, nothing is admitted that would
 * make it more.
 *
 * <p>Owned by: the thread that owns the groups.
 */
public final class HeapBudget {
    private final long limitBytes;
    private long usedBytes;

    public HeapBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes them, or gives them back if negative. */
    public void add(long bytes) {
        usedBytes += bytes;
    }

    /** What grows by nothing always has room. */
    public boolean hasRoomFor(long bytes) {
        return bytes <= 0 || usedBytes + bytes <= limitBytes;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public long usedBytes() {
        return usedBytes;
    }
}
