package io.rivulet.broker.api.group;

import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.ConsumerGroups;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse;
import io.rivulet.protocol.wire.Message;

/** Describes groups of the consumer protocol, with their members. */
record ConsumerGroupDescribeHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse> {
    @Override
    public Question<ConsumerGroupDescribeResponse> question(ConsumerGroupDescribeRequest request, short version) {
        return groups.consumers().describe(request);
    }

    @Override
    public Message refuse(ConsumerGroupDescribeRequest request, short version, ErrorCode error) {
        return ConsumerGroups.refused(request, error);
    }
}
