package io.rivulet.broker.api.group;

import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.rivulet.protocol.wire.Message;

/** Describes groups of the classic protocol, with their members. */
record DescribeGroupsHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<DescribeGroupsRequest, DescribeGroupsResponse> {
    @Override
    public Question<DescribeGroupsResponse> question(DescribeGroupsRequest request, short version) {
        Question<DescribeGroupsResponse> question = groups.coordinator().describe(request, version);
        return request.includeAuthorizedOperations()
                ? new AmendedQuestion<>(question, DescribeGroupsHandler::addOperations)
                : question;
    }

    private static void addOperations(DescribeGroupsResponse answer) {
        for (DescribedGroup group : answer.groups()) {
            if (group.errorCode() == ErrorCode.NONE.code()) {
                group.authorizedOperations(AuthorizedOperations.GROUP);
            }
        }
    }

    @Override
    public Message refuse(DescribeGroupsRequest request, short version, ErrorCode error) {
        return new DescribeGroupsResponse()
                .groups(request.groups().stream()
                        .map(id -> new DescribedGroup().groupId(id).errorCode(error.code()))
                        .toList());
    }
}
