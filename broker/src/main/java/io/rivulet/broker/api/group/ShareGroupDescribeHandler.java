package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.ShareGroups;
import io.rivulet.protocol.message.ShareGroupDescribeRequest;
import io.rivulet.protocol.message.ShareGroupDescribeResponse;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.Member;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.TopicPartitions;
import io.rivulet.protocol.wire.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Describes share groups, with their members. */
record ShareGroupDescribeHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<ShareGroupDescribeRequest, ShareGroupDescribeResponse> {
    @Override
    public Question<ShareGroupDescribeResponse> question(
            ShareGroupDescribeRequest request, short version, Access access) {
        Split<String> ids = Split.of(request.groupIds(), id -> access.mayGroup(Operation.DESCRIBE, id));
        Question<ShareGroupDescribeResponse> question = groups.shares().describe(request.groupIds(ids.allowed()));
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
            for (TopicPartitions assigned : member.assignment().topicPartitions()) {
                if (seen.add(assigned.topicName()) && !access.mayTopic(Operation.DESCRIBE, assigned.topicName())) {
                    return true;
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

    private static void addOperations(ShareGroupDescribeResponse answer, Access access) {
        for (DescribedGroup group : answer.groups()) {
            if (group.errorCode() == ErrorCode.NONE.code()) {
                group.authorizedOperations(AuthorizedOperations.ofGroup(access, group.groupId()));
            }
        }
    }

    private static List<DescribedGroup> refusedGroups(List<String> ids, ErrorCode error) {
        return ShareGroups.refused(new ShareGroupDescribeRequest().groupIds(ids), error)
                .groups();
    }

    @Override
    public Message refuse(ShareGroupDescribeRequest request, short version, ErrorCode error) {
        return ShareGroups.refused(request, error);
    }
}
