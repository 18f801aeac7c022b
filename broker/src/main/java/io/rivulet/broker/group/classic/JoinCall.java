package io.rivulet.broker.group.classic;

import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

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
     * Whether the client gets its member id first and then joins with it. Then a client that gives up is not a member.
     */
    public boolean needsKnownMemberId() {
        return version >= MEMBER_ID_REQUIRED_FROM_VERSION && request.groupInstanceId() == null;
    }

    /** Whether both lists have the same names and metadata in the same order. */
    public static boolean areEqual(List<JoinGroupRequestProtocol> some, List<JoinGroupRequestProtocol> others) {
        return some.size() == others.size()
                && IntStream.range(0, some.size())
                        .allMatch(i -> some.get(i).name().equals(others.get(i).name())
                                && Arrays.equals(
                                        some.get(i).metadata(), others.get(i).metadata()));
    }

    /** Whether the client understands that its assignment remains valid. */
    boolean maySkipAssignment() {
        return version >= SKIPS_ASSIGNMENT_FROM_VERSION;
    }
}
