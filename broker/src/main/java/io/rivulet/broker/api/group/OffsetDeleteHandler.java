package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.message.OffsetDeleteResponse.OffsetDeleteResponsePartition;
import io.rivulet.protocol.message.OffsetDeleteResponse.OffsetDeleteResponseTopic;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** Deletes committed offsets of a group. */
record OffsetDeleteHandler(Groups groups, GroupAnswers answers) implements ChangeHandler<OffsetDeleteRequest> {
    @Override
    public void handle(Call call, OffsetDeleteRequest request) {
        Split<OffsetDeleteRequestTopic> split =
                Split.of(request.topics(), topic -> call.access().mayTopic(Operation.READ, topic.name()));
        List<OffsetDeleteResponseTopic> denied = denied(split.denied());
        if (split.allowed().isEmpty() && !denied.isEmpty()) {
            answers.answer(call, new OffsetDeleteResponse().topics(denied));
            return;
        }
        groups.offsets()
                .delete(
                        request.topics(split.allowed()),
                        response -> answers.answer(
                                call,
                                response.errorCode() == ErrorCode.NONE.code()
                                        ? response.topics(Split.joined(response.topics(), denied))
                                        : response));
    }

    private static List<OffsetDeleteResponseTopic> denied(List<OffsetDeleteRequestTopic> wanted) {
        return wanted.stream()
                .map(topic -> new OffsetDeleteResponseTopic()
                        .name(topic.name())
                        .partitions(topic.partitions().stream()
                                .map(partition -> new OffsetDeleteResponsePartition()
                                        .partitionIndex(partition.partitionIndex())
                                        .errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code()))
                                .toList()))
                .toList();
    }

    @Override
    public ErrorCode check(Access access, OffsetDeleteRequest request, short version) {
        return Permissions.group(access, Operation.DELETE, request.groupId());
    }

    @Override
    public Message refuse(OffsetDeleteRequest request, short version, ErrorCode error) {
        return new OffsetDeleteResponse().errorCode(error.code());
    }
}
