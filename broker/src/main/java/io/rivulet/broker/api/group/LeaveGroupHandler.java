package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupResponse;
import io.rivulet.protocol.wire.Message;

/** Members leave a group of the classic protocol. */
record LeaveGroupHandler(Groups groups, GroupAnswers answers) implements ChangeHandler<LeaveGroupRequest> {
    @Override
    public void handle(Call call, LeaveGroupRequest request) {
        answers.answer(call, groups.coordinator().leave(request, call.version()));
    }

    @Override
    public ErrorCode check(Access access, LeaveGroupRequest request, short version) {
        return Permissions.group(access, Operation.READ, request.groupId());
    }

    @Override
    public Message refuse(LeaveGroupRequest request, short version, ErrorCode error) {
        return new LeaveGroupResponse().errorCode(error.code());
    }
}
