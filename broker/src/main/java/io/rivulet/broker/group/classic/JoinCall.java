package io.rivulet.broker.group.classic;

import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupResponse;
import java.util.function.Consumer;

/** A JoinGroup request with its client, and the callback for the response. Immutable. */
public record JoinCall(
        JoinGroupRequest request,
        short version,
        String clientId,
        String clientHost,
        Consumer<JoinGroupResponse> reply) {
    private static final short MEMBER_ID_REQUIRED_FROM_VERSION = 4;
    private static final short SKIPS_ASSIGNMENT_FROM_VERSION = 9;

    /**
     * Whether the client gets its member id first and then joins with it, so that a client that gives up leaves no
     * member behind.
     */
    public boolean needsKnownMemberId() {
        return version >= MEMBER_ID_REQUIRED_FROM_VERSION && request.groupInstanceId() == null;
    }

    /** Whether the client understands that its assignment remains valid. */
    boolean maySkipAssignment() {
        return version >= SKIPS_ASSIGNMENT_FROM_VERSION;
    }
}
