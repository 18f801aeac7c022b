package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.classic.ClassicAnswers;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.wire.Message;

/** A member joins a group of the classic protocol. The leader gets all members. */
record JoinGroupHandler(Groups groups, GroupAnswers answers) implements ChangeHandler<JoinGroupRequest> {
    @Override
    public void handle(Call call, JoinGroupRequest request) {
        if (answers.isFull()) {
            call.refuseAsBusy();
            return;
        }
        groups.coordinator()
                .join(new JoinCall(
                        request,
                        call.version(),
                        call.clientId(),
                        call.origin().clientHost(),
                        response -> answers.answer(call, response)));
    }

    @Override
    public ErrorCode check(Access access, JoinGroupRequest request, short version) {
        return Permissions.group(access, Operation.READ, request.groupId());
    }

    @Override
    public Message refuse(JoinGroupRequest request, short version, ErrorCode error) {
        return ClassicAnswers.joinError(request.memberId(), error);
    }
}
