package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.HeartbeatResponse;
import io.rivulet.protocol.wire.Message;

/** A member of the classic protocol shows that it is alive. */
record HeartbeatHandler(Groups groups) implements ChangeHandler<HeartbeatRequest> {
    @Override
    public void handle(Call call, HeartbeatRequest request) {
        call.answer(groups.coordinator().heartbeat(request));
    }

    @Override
    public ErrorCode check(Access access, HeartbeatRequest request, short version) {
        return Permissions.group(access, Operation.READ, request.groupId());
    }

    @Override
    public Message refuse(HeartbeatRequest request, short version, ErrorCode error) {
        return new HeartbeatResponse().errorCode(error.code());
    }
}
