package io.rivulet.broker.group.classic;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group that has members of the classic protocol. A refused request gets its error in the response.
 *
 * <p>Owned by: the coordinator thread.
 */
public interface ClassicProtocol {
    void join(JoinCall call);

    void sync(SyncGroupRequest request, Consumer<SyncGroupResponse> reply);

    ErrorCode heartbeat(HeartbeatRequest request);

    /** Removes the member. {@link #membersLeft} follows, once for all members that leave together. */
    ErrorCode leave(String memberId, @Nullable String instanceId);

    void membersLeft();
}
