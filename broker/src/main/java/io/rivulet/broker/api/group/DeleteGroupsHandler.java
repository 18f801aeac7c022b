package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.DeleteGroupsResponse.DeletableGroupResult;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** Deletes groups that have no members. */
record DeleteGroupsHandler(Groups groups, GroupAnswers answers) implements ChangeHandler<DeleteGroupsRequest> {
    @Override
    public void handle(Call call, DeleteGroupsRequest request) {
        Split<String> ids = Split.of(request.groupsNames(), id -> call.access().mayGroup(Operation.DELETE, id));
        List<DeletableGroupResult> denied = refused(ids.denied(), ErrorCode.GROUP_AUTHORIZATION_FAILED);
        groups.coordinator()
                .delete(
                        request.groupsNames(ids.allowed()),
                        response -> answers.answer(call, response.results(Split.joined(response.results(), denied))));
    }

    /** The handler asks for each group. */
    @Override
    public ErrorCode check(Access access, DeleteGroupsRequest request, short version) {
        return ErrorCode.NONE;
    }

    @Override
    public Message refuse(DeleteGroupsRequest request, short version, ErrorCode error) {
        return new DeleteGroupsResponse().results(refused(request.groupsNames(), error));
    }

    private static List<DeletableGroupResult> refused(List<String> ids, ErrorCode error) {
        return ids.stream()
                .map(id -> new DeletableGroupResult().groupId(id).errorCode(error.code()))
                .toList();
    }
}
