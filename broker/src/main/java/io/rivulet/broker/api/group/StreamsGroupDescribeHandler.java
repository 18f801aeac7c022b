package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.StreamsGroups;
import io.rivulet.protocol.message.StreamsGroupDescribeRequest;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.Subtopology;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.TopicInfo;
import io.rivulet.protocol.wire.Message;
import java.util.List;
import java.util.stream.Stream;

/** Describes groups of the streams protocol, with their topologies and members. */
record StreamsGroupDescribeHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<StreamsGroupDescribeRequest, StreamsGroupDescribeResponse> {
    @Override
    public Question<StreamsGroupDescribeResponse> question(
            StreamsGroupDescribeRequest request, short version, Access access) {
        Split<String> ids = Split.of(request.groupIds(), id -> access.mayGroup(Operation.DESCRIBE, id));
        Question<StreamsGroupDescribeResponse> question = groups.streams().describe(request.groupIds(ids.allowed()));
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
        return group.topology() != null
                && group.topology().subtopologies() != null
                && group.topology().subtopologies().stream()
                        .flatMap(StreamsGroupDescribeHandler::topicNames)
                        .anyMatch(name -> !access.mayTopic(Operation.DESCRIBE, name));
    }

    private static Stream<String> topicNames(Subtopology part) {
        Stream<String> internal = Stream.concat(
                        part.repartitionSourceTopics().stream(), part.stateChangelogTopics().stream())
                .map(TopicInfo::name);
        return Stream.of(part.sourceTopics().stream(), part.repartitionSinkTopics().stream(), internal)
                .flatMap(names -> names);
    }

    private static DescribedGroup hidden(DescribedGroup group) {
        return new DescribedGroup()
                .groupId(group.groupId())
                .errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code())
                .errorMessage("The group has topics that the client may not describe.");
    }

    private static void addOperations(StreamsGroupDescribeResponse answer, Access access) {
        for (DescribedGroup group : answer.groups()) {
            if (group.errorCode() == ErrorCode.NONE.code()) {
                group.authorizedOperations(AuthorizedOperations.ofGroup(access, group.groupId()));
            }
        }
    }

    private static List<DescribedGroup> refusedGroups(List<String> ids, ErrorCode error) {
        return StreamsGroups.refused(new StreamsGroupDescribeRequest().groupIds(ids), error)
                .groups();
    }

    @Override
    public Message refuse(StreamsGroupDescribeRequest request, short version, ErrorCode error) {
        return StreamsGroups.refused(request, error);
    }
}
