package io.rivulet.broker.group.classic;

import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupResponse;
import java.util.function.Consumer;

/** A member's wish to join, and the way back to it. Immutable. */
public record JoinCall(
        JoinGroupRequest request,
        short version,
        String clientId,
        String clientHost,
        Consumer<JoinGroupResponse> reply) {
    private static final short MEMBER_ID_REQUIRED_FROM_VERSION = 4;
    private static final short SKIPS_ASSIGNMENT_FROM_VERSION = 9;

    /** A client that can be told its id first joins with it afterwards, so that one that gave up leaves no member behind. */
    public boolean needsKnownMemberId() {
        return version >= MEMBER_ID_REQUIRED_FROM_VERSION && request.groupInstanceId() == null;
    }

    /** Whether a leader can be told that its assignment stands. */
    boolean maySkipAssignment() {
        return version >= SKIPS_ASSIGNMENT_FROM_VERSION;
    }
}
