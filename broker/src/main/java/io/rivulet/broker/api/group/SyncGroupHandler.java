package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.classic.ClassicAnswers;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.wire.Message;

/** A member of the classic protocol gets its assignment. The leader sends the assignments of all members. */
record SyncGroupHandler(Groups groups, GroupAnswers answers) implements ChangeHandler<SyncGroupRequest> {
    @Override
    public void handle(Call call, SyncGroupRequest request) {
        if (answers.isFull()) {
            call.refuseAsBusy();
        } else {
            groups.coordinator().sync(request, response -> answers.answer(call, response));
        }
    }

    @Override
    public ErrorCode check(Access access, SyncGroupRequest request, short version) {
        return Permissions.group(access, Operation.READ, request.groupId());
    }

    @Override
    public Message refuse(SyncGroupRequest request, short version, ErrorCode error) {
        return ClassicAnswers.syncError(error);
    }
}
