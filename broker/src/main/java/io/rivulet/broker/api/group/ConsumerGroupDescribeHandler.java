package io.rivulet.broker.api.group;

import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.ConsumerGroups;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.wire.Message;

/** Describes groups of the consumer protocol, with their members. */
record ConsumerGroupDescribeHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse> {
    @Override
    public Question<ConsumerGroupDescribeResponse> question(ConsumerGroupDescribeRequest request, short version) {
        Question<ConsumerGroupDescribeResponse> question = groups.consumers().describe(request);
        return request.includeAuthorizedOperations()
                ? new AmendedQuestion<>(question, ConsumerGroupDescribeHandler::addOperations)
                : question;
    }

    private static void addOperations(ConsumerGroupDescribeResponse answer) {
        for (DescribedGroup group : answer.groups()) {
            if (group.errorCode() == ErrorCode.NONE.code()) {
                group.authorizedOperations(AuthorizedOperations.GROUP);
            }
        }
    }

    @Override
    public Message refuse(ConsumerGroupDescribeRequest request, short version, ErrorCode error) {
        return ConsumerGroups.refused(request, error);
    }
}
