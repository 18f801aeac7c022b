package io.rivulet.store.log;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a log. Owned by: log-writer thread.
 *
 * <p>Last released, first acquired: an idle log has touched the memory of one group only, and its bytes are in the cache.
 */
final class GroupPool {
    private final int groupBytes;
    private final int alignmentBytes;
    private final ArrayDeque<Group> free = new ArrayDeque<>();
    private int notYetMade;

    GroupPool(int count, int groupBytes, int alignmentBytes) {
        this.notYetMade = count;
        this.groupBytes = groupBytes;
        this.alignmentBytes = alignmentBytes;
    }

    @Nullable
    Group acquire() {
        Group group = free.pollFirst();
        if (group == null && notYetMade > 0) {
            notYetMade--;
            group = new Group(groupBytes, alignmentBytes);
        }
        return group;
    }

    void release(Group group) {
        if (free.contains(group)) {
            throw new IllegalStateException("this group has been released already");
        }
        group.clear();
        free.addFirst(group);
    }
}
