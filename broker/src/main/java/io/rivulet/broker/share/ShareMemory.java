package io.rivulet.broker.share;

import java.util.concurrent.atomic.AtomicLong;

/** The heap of all rows, runs and sessions, estimated, and its limit. Thread-safe. */
final class ShareMemory {
    /** The part of the limit that pools may have. */
    private static final int POOLED_PART = 8;

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong pooled = new AtomicLong();

    ShareMemory(long limit) {
        this.limit = limit;
    }

    /** Counts bytes, whatever the limit. Negative when they are freed. */
    void add(long more) {
        bytes.addAndGet(more);
    }

    /** Counts bytes, unless that exceeds the limit. */
    boolean tryAdd(long more) {
        long before;
        do {
            before = bytes.get();
            if (more > 0 && before + more > limit) {
                return false;
            }
        } while (!bytes.compareAndSet(before, before + more));
        return true;
    }

    /** Counts bytes of objects that wait to be used again, unless pools have too many. */
    boolean tryPool(long more) {
        if (pooled.addAndGet(more) > limit / POOLED_PART) {
            pooled.addAndGet(-more);
            return false;
        }
        return true;
    }

    void unpool(long fewer) {
        pooled.addAndGet(-fewer);
    }

    boolean hasRoomFor(long more) {
        return bytes.get() + more <= limit;
    }

    long bytes() {
        return bytes.get();
    }

    long limit() {
        return limit;
    }
}
