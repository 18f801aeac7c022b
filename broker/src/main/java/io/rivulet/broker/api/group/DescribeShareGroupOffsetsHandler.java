package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup;
import io.rivulet.protocol.wire.Message;

/** Reads start offsets of share groups. */
record DescribeShareGroupOffsetsHandler(Groups groups, GroupAnswers answers)
        implements GroupQuestionHandler<DescribeShareGroupOffsetsRequest, DescribeShareGroupOffsetsResponse> {
    @Override
    public Question<DescribeShareGroupOffsetsResponse> question(
            DescribeShareGroupOffsetsRequest request, short version, Access access) {
        return groups.shareOffsets().describe(request, access);
    }

    @Override
    public Message refuse(DescribeShareGroupOffsetsRequest request, short version, ErrorCode error) {
        return new DescribeShareGroupOffsetsResponse()
                .groups(request.groups().stream()
                        .map(group -> new DescribeShareGroupOffsetsResponseGroup()
                                .groupId(group.groupId())
                                .errorCode(error.code()))
                        .toList());
    }
}
