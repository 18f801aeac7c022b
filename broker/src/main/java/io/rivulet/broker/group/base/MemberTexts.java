package io.rivulet.broker.group.base;

import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.LimitLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums up how much more heap the texts of a member take than before: its ids, its rack, its subscription. A client may
 * choose all of them, and each may be long. A member that only repeats what it has always has room. Owned by: one
 * request.
 */
public final class MemberTexts {
    private static final int STRING_BYTES = 48;
    /** The group's objects have them, and its image in the log. */
    private static final int COPIES = 2;

    private long moreBytes;

    /** @param now null if the request does not change it */
    public MemberTexts changed(@Nullable String before, @Nullable String now) {
        moreBytes += now == null ? 0 : bytes(now) - bytes(before);
        return this;
    }

    /** @param now null if the request does not change them; in any order */
    public MemberTexts changed(List<String> before, @Nullable List<String> now) {
        moreBytes += now == null ? 0 : bytes(now) - bytes(before);
        return this;
    }

    public MemberTexts changed(long beforeBytes, long nowBytes) {
        moreBytes += nowBytes - beforeBytes;
        return this;
    }

    /** @throws RefusedException if there is no room for them */
    public void requireRoom(HeapBudget heap) {
        requireRoom(heap, COPIES * moreBytes);
    }

    /** @throws RefusedException if groups have no room for so much */
    public static void requireRoom(HeapBudget heap, long bytes) {
        if (!heap.hasRoomFor(bytes)) {
            LimitLog.refused("rivulet.groups.bytes", "a change of a group");
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "The groups of the broker have reached rivulet.groups.bytes.");
        }
    }

    /** The heap that a text takes, about. */
    public static long bytes(@Nullable String text) {
        return text == null ? 0 : STRING_BYTES + 2L * text.length();
    }

    private static long bytes(List<String> texts) {
        return texts.stream().mapToLong(MemberTexts::bytes).sum();
    }
}
