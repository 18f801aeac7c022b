package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.ConsumerGroups;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.Assignment;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.Member;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.TopicPartitions;
import io.rivulet.protocol.wire.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Describes groups of the consumer protocol, with their members. */
record ConsumerGroupDescribeHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse> {
    @Override
    public Question<ConsumerGroupDescribeResponse> question(
            ConsumerGroupDescribeRequest request, short version, Access access) {
        Split<String> ids = Split.of(request.groupIds(), id -> access.mayGroup(Operation.DESCRIBE, id));
        Question<ConsumerGroupDescribeResponse> question = groups.consumers().describe(request.groupIds(ids.allowed()));
        return new AmendedQuestion<>(question, answer -> {
            if (!access.isUnlimited()) {
                answer.groups().replaceAll(group -> hasHiddenTopics(group, access) ? hidden(group) : group);
            }
            if (request.includeAuthorizedOperations()) {
                addOperations(answer, access);
            }
            answer.groups().addAll(refusedGroups(ids.denied(), ErrorCode.GROUP_AUTHORIZATION_FAILED));
        });
    }

    private static boolean hasHiddenTopics(DescribedGroup group, Access access) {
        Set<String> seen = new HashSet<>();
        for (Member member : group.members()) {
            for (Assignment assignment : List.of(member.assignment(), member.targetAssignment())) {
                for (TopicPartitions assigned : assignment.topicPartitions()) {
                    if (seen.add(assigned.topicName()) && !access.mayTopic(Operation.DESCRIBE, assigned.topicName())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static DescribedGroup hidden(DescribedGroup group) {
        return new DescribedGroup()
                .groupId(group.groupId())
                .errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code())
                .errorMessage("The group has topics that the client may not describe.");
    }

    private static void addOperations(ConsumerGroupDescribeResponse answer, Access access) {
        for (DescribedGroup group : answer.groups()) {
            if (group.errorCode() == ErrorCode.NONE.code()) {
                group.authorizedOperations(AuthorizedOperations.ofGroup(access, group.groupId()));
            }
        }
    }

    private static List<DescribedGroup> refusedGroups(List<String> ids, ErrorCode error) {
        return ConsumerGroups.refused(new ConsumerGroupDescribeRequest().groupIds(ids), error)
                .groups();
    }

    @Override
    public Message refuse(ConsumerGroupDescribeRequest request, short version, ErrorCode error) {
        return ConsumerGroups.refused(request, error);
    }
}
