package io.rivulet.store.log;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a log. A released group is the last to be reused, and until then its body can be read from memory. So
 * consumers that keep up with large batches need no disk.
 *
 * <p>A new group is created as long as the limit allows it and the oldest free one is worth keeping. So an idle log
 * needs only one or two.
 *
 * <p>Owned by: log-writer thread, except {@link #readRecent}.
 */
public final class LogGroupPool {
    /** Fewer bytes are not worth the memory of a whole group. */
    private static final int WORTH_KEEPING_BYTES = 64 << 10;

    private final int count;
    private final int groupBytes;
    private final int alignmentBytes;
    private final ArrayDeque<LogGroup> free = new ArrayDeque<>();

    /** Replaced when a group is created. */
    private volatile LogGroup[] made = new LogGroup[0];

    /** @param alignmentBytes of the memory and of the length of each group */
    public LogGroupPool(int count, int groupBytes, int alignmentBytes) {
        this.count = count;
        this.groupBytes = groupBytes;
        this.alignmentBytes = alignmentBytes;
    }

    /** Null if all are in use. */
    @Nullable
    public LogGroup acquire() {
        LogGroup oldest = free.peekFirst();
        boolean mayMake = made.length < count;
        if (mayMake && (oldest == null || oldest.body().position() >= WORTH_KEEPING_BYTES)) {
            return make();
        }
        LogGroup group = free.pollFirst();
        if (group != null) {
            group.clear();
        }
        return group;
    }

    private LogGroup make() {
        LogGroup group = new LogGroup(groupBytes, alignmentBytes);
        LogGroup[] more = Arrays.copyOf(made, made.length + 1);
        more[made.length] = group;
        made = more;
        return group;
    }

    public void release(LogGroup group) {
        if (free.contains(group)) {
            throw new IllegalStateException("this group has been released already");
        }
        free.addLast(group);
    }

    /**
     * Any thread: copies bytes of a body if a group still has it. Otherwise returns false and does not change the
     * target.
     */
    public boolean readRecent(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) {
        for (LogGroup group : made) {
            if (group.isRecently(lsn)) {
                return group.copyIfStill(lsn, bodyIndex, lengthBytes, target);
            }
        }
        return false;
    }
}
