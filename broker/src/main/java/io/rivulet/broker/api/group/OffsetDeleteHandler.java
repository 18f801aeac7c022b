package io.rivulet.broker.api.group;

import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.wire.Message;

/** Deletes committed offsets of a group. */
record OffsetDeleteHandler(Groups groups, GroupAnswers answers) implements ChangeHandler<OffsetDeleteRequest> {
    @Override
    public void handle(Call call, OffsetDeleteRequest request) {
        groups.offsets().delete(request, response -> answers.answer(call, response));
    }

    @Override
    public Message refuse(OffsetDeleteRequest request, short version, ErrorCode error) {
        return new OffsetDeleteResponse().errorCode(error.code());
    }
}
