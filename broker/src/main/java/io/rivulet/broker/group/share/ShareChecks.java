package io.rivulet.broker.group.share;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks a heartbeat on its own, without the group's state. Pure functions. */
public final class ShareChecks {
    public static final int JOIN = 0;
    static final int LEAVE = -1;

    /** Bounds the heap that one heartbeat may take. */
    private static final int MAX_SUBSCRIPTION_CHARS = 512 << 10;

    private ShareChecks() {}

    /** @throws RefusedException if the request makes no sense */
    public static void check(ShareGroupHeartbeatRequest request) {
        requireText(request.memberId(), "MemberId");
        requireText(request.groupId(), "GroupId");
        requireText(request.rackId(), "RackId");
        require(request.memberEpoch() >= LEAVE, "MemberEpoch is invalid.");
        List<String> names = request.subscribedTopicNames();
        require(
                request.memberEpoch() != JOIN || (names != null && !names.isEmpty()),
                "SubscribedTopicNames must be set in first request.");
        long chars = 0;
        for (String name : names == null ? List.<String>of() : names) {
            chars += name.length() + 1;
        }
        require(chars <= MAX_SUBSCRIPTION_CHARS, "SubscribedTopicNames are too many.");
    }

    private static void requireText(@Nullable String text, String field) {
        require(text == null || !text.isBlank(), field + " can't be empty.");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, otherwise);
        }
    }
}
