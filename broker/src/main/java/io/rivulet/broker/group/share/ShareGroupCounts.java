package io.rivulet.broker.group.share;

import java.util.concurrent.atomic.AtomicInteger;

/** How many share groups there are. Thread-safe. */
public final class ShareGroupCounts {
    private final AtomicInteger groups = new AtomicInteger();
    private final AtomicInteger withMembers = new AtomicInteger();

    void addGroups(int more) {
        groups.addAndGet(more);
    }

    void addWithMembers(int more) {
        withMembers.addAndGet(more);
    }

    public int empty() {
        return groups.get() - withMembers.get();
    }

    /** Those that have members. */
    public int stable() {
        return withMembers.get();
    }
}
