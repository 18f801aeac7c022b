package io.rivulet.broker.group.base;

import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.LimitLog;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the heap for the texts of a member that differ from those that it has: its ids, its rack, its subscription. A
 * client may choose all of them, and each may be long. Owned by: one request.
 */
public final class MemberTexts {
    private static final int STRING_BYTES = 48;
    /** The group's objects have them, and its image in the log. */
    private static final int COPIES = 2;

    private long moreBytes;

    /** @param now null if the request does not change it */
    public MemberTexts changed(@Nullable String before, @Nullable String now) {
        moreBytes += now == null || Objects.equals(before, now) ? 0 : bytes(now);
        return this;
    }

    /** @param now null if the request does not change them */
    public MemberTexts changed(@Nullable List<String> before, @Nullable List<String> now) {
        if (now != null && !Objects.equals(before, now)) {
            now.forEach(text -> moreBytes += bytes(text));
        }
        return this;
    }

    /** Bytes that the member has not sent before. */
    public MemberTexts changed(int bytes) {
        moreBytes += bytes;
        return this;
    }

    /** @throws RefusedException if there is no room for them */
    public void requireRoom(HeapBudget heap) {
        if (!heap.hasRoomFor(COPIES * moreBytes)) {
            LimitLog.refused("rivulet.groups.bytes", "a member");
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "The broker has reached rivulet.max.groups or rivulet.groups.bytes.");
        }
    }

    /** The heap that a text takes, about. */
    public static long bytes(@Nullable String text) {
        return text == null ? 0 : STRING_BYTES + 2L * text.length();
    }
}
