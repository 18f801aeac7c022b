package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.wire.Message;

/** Lists groups. */
record ListGroupsHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<ListGroupsRequest, ListGroupsResponse> {
    @Override
    public Question<ListGroupsResponse> question(ListGroupsRequest request, short version, Access access) {
        return groups.coordinator().list(request, access);
    }

    @Override
    public Message refuse(ListGroupsRequest request, short version, ErrorCode error) {
        return new ListGroupsResponse().errorCode(error.code());
    }
}
