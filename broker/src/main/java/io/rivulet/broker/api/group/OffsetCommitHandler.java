package io.rivulet.broker.api.group;

import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.GroupOffsets;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.wire.Message;

/** Commits offsets of a group. */
record OffsetCommitHandler(Groups groups, GroupAnswers answers) implements ChangeHandler<OffsetCommitRequest> {
    @Override
    public void handle(Call call, OffsetCommitRequest request) {
        groups.offsets().commit(request, call.version(), response -> answers.answer(call, response));
    }

    @Override
    public Message refuse(OffsetCommitRequest request, short version, ErrorCode error) {
        return GroupOffsets.refused(request, error);
    }
}
