package io.rivulet.broker.group.share;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Which share groups there are, and how many of them have members. Thread-safe. */
public final class KnownShareGroups {
    private final Map<String, ShareGroup> byId = new ConcurrentHashMap<>();
    private final AtomicInteger withMembers = new AtomicInteger();
    private volatile boolean restored;

    void add(String groupId, ShareGroup group) {
        byId.put(groupId, group);
    }

    /** Another group may have its id by now. */
    void remove(String groupId, ShareGroup group) {
        byId.remove(groupId, group);
    }

    void addWithMembers(int more) {
        withMembers.addAndGet(more);
    }

    /** The groups in the log are known from now on. */
    public void restored() {
        restored = true;
    }

    /** Whether there may be such a group. */
    public boolean mayExist(String groupId) {
        return byId.containsKey(groupId) || !restored;
    }

    public int empty() {
        return byId.size() - withMembers.get();
    }

    /** Those that have members. */
    public int stable() {
        return withMembers.get();
    }
}
