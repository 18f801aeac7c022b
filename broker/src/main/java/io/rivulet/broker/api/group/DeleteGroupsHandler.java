package io.rivulet.broker.api.group;

import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.DeleteGroupsResponse.DeletableGroupResult;
import io.rivulet.protocol.wire.Message;

/** Deletes groups that have no members. */
record DeleteGroupsHandler(Groups groups, GroupAnswers answers) implements ChangeHandler<DeleteGroupsRequest> {
    @Override
    public void handle(Call call, DeleteGroupsRequest request) {
        groups.coordinator().delete(request, response -> answers.answer(call, response));
    }

    @Override
    public Message refuse(DeleteGroupsRequest request, short version, ErrorCode error) {
        return new DeleteGroupsResponse()
                .results(request.groupsNames().stream()
                        .map(id -> new DeletableGroupResult().groupId(id).errorCode(error.code()))
                        .toList());
    }
}
