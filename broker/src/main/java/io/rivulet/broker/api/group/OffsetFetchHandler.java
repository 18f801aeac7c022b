package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.OffsetFetch;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.wire.Message;

/** Reads committed offsets of groups. */
record OffsetFetchHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<OffsetFetchRequest, OffsetFetchResponse> {
    @Override
    public Question<OffsetFetchResponse> question(OffsetFetchRequest request, short version, Access access) {
        return groups.offsetFetch().fetch(request, version, access);
    }

    @Override
    public Message refuse(OffsetFetchRequest request, short version, ErrorCode error) {
        return OffsetFetch.refused(request, error);
    }
}
