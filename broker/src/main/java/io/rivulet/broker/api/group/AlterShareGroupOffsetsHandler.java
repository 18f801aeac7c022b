package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.ShareGroupOffsets;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponsePartition;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponseTopic;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** Sets start offsets of a share group that has no members. */
record AlterShareGroupOffsetsHandler(Groups groups, GroupAnswers answers)
        implements ChangeHandler<AlterShareGroupOffsetsRequest> {
    @Override
    public void handle(Call call, AlterShareGroupOffsetsRequest request) {
        Split<AlterShareGroupOffsetsRequestTopic> split =
                Split.of(request.topics(), topic -> call.access().mayTopic(Operation.READ, topic.topicName()));
        List<AlterShareGroupOffsetsResponseTopic> denied = denied(split.denied());
        groups.shareOffsets()
                .alter(
                        request.topics(split.allowed()),
                        response -> answers.answer(
                                call,
                                response.errorCode() == ErrorCode.NONE.code()
                                        ? response.responses(Split.joined(response.responses(), denied))
                                        : response));
    }

    private static List<AlterShareGroupOffsetsResponseTopic> denied(List<AlterShareGroupOffsetsRequestTopic> wanted) {
        return wanted.stream()
                .map(topic -> new AlterShareGroupOffsetsResponseTopic()
                        .topicName(topic.topicName())
                        .partitions(topic.partitions().stream()
                                .map(partition -> new AlterShareGroupOffsetsResponsePartition()
                                        .partitionIndex(partition.partitionIndex())
                                        .errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code())
                                        .errorMessage("The client may not read the topic."))
                                .toList()))
                .toList();
    }

    @Override
    public ErrorCode check(Access access, AlterShareGroupOffsetsRequest request, short version) {
        return Permissions.group(access, Operation.READ, request.groupId());
    }

    @Override
    public Message refuse(AlterShareGroupOffsetsRequest request, short version, ErrorCode error) {
        return ShareGroupOffsets.refusedAlter(error);
    }
}
