package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** Describes groups of the classic protocol, with their members. */
record DescribeGroupsHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<DescribeGroupsRequest, DescribeGroupsResponse> {
    @Override
    public Question<DescribeGroupsResponse> question(DescribeGroupsRequest request, short version, Access access) {
        Split<String> ids = Split.of(request.groups(), id -> access.mayGroup(Operation.DESCRIBE, id));
        return new AmendedQuestion<>(groups.coordinator().describe(request.groups(ids.allowed()), version), answer -> {
            if (request.includeAuthorizedOperations()) {
                addOperations(answer, access);
            }
            answer.groups().addAll(refusedGroups(ids.denied(), ErrorCode.GROUP_AUTHORIZATION_FAILED));
        });
    }

    private static void addOperations(DescribeGroupsResponse answer, Access access) {
        for (DescribedGroup group : answer.groups()) {
            if (group.errorCode() == ErrorCode.NONE.code()) {
                group.authorizedOperations(AuthorizedOperations.ofGroup(access, group.groupId()));
            }
        }
    }

    @Override
    public Message refuse(DescribeGroupsRequest request, short version, ErrorCode error) {
        return new DescribeGroupsResponse().groups(refusedGroups(request.groups(), error));
    }

    private static List<DescribedGroup> refusedGroups(List<String> ids, ErrorCode error) {
        return ids.stream()
                .map(id -> new DescribedGroup().groupId(id).errorCode(error.code()))
                .toList();
    }
}
