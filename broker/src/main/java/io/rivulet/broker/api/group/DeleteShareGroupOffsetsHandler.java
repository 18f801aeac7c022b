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
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsResponse.DeleteShareGroupOffsetsResponseTopic;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** Forgets what a share group without members has done with topics. */
record DeleteShareGroupOffsetsHandler(Groups groups, GroupAnswers answers)
        implements ChangeHandler<DeleteShareGroupOffsetsRequest> {
    @Override
    public void handle(Call call, DeleteShareGroupOffsetsRequest request) {
        Split<DeleteShareGroupOffsetsRequestTopic> split =
                Split.of(request.topics(), topic -> call.access().mayTopic(Operation.READ, topic.topicName()));
        List<DeleteShareGroupOffsetsResponseTopic> denied = split.denied().stream()
                .map(topic -> new DeleteShareGroupOffsetsResponseTopic()
                        .topicName(topic.topicName())
                        .errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code())
                        .errorMessage("The client may not read the topic."))
                .toList();
        groups.shareOffsets()
                .delete(
                        request.topics(split.allowed()),
                        response -> answers.answer(
                                call,
                                response.errorCode() == ErrorCode.NONE.code()
                                        ? response.responses(Split.joined(response.responses(), denied))
                                        : response));
    }

    @Override
    public ErrorCode check(Access access, DeleteShareGroupOffsetsRequest request, short version) {
        return Permissions.group(access, Operation.DELETE, request.groupId());
    }

    @Override
    public Message refuse(DeleteShareGroupOffsetsRequest request, short version, ErrorCode error) {
        return ShareGroupOffsets.refusedDelete(error);
    }
}
