package io.rivulet.broker.console;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestPartition;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponsePartition;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import java.util.List;

/** Sets an offset of a group, or deletes the group. Both need a group without members. Thread-safe. */
record GroupChanges(BrokerCalls calls) {
    private static final int COMMIT_VERSION = 9;
    private static final int DELETE_VERSION = 2;
    private static final int ALTER_VERSION = 0;
    private static final int NO_GENERATION = -1;

    void commit(HttpExchange exchange) {
        Form form = Form.of(exchange);
        OffsetCommitRequestPartition partition = new OffsetCommitRequestPartition()
                .partitionIndex((int) form.number("partition", Integer.MAX_VALUE))
                .committedOffset(form.number("offset", Long.MAX_VALUE))
                .committedMetadata("");
        OffsetCommitRequest request = new OffsetCommitRequest()
                .groupId(form.required("id"))
                .generationIdOrMemberEpoch(NO_GENERATION)
                .topics(List.of(new OffsetCommitRequestTopic()
                        .name(form.required("topic"))
                        .partitions(List.of(partition))));
        calls.ask(exchange, ApiKey.OFFSET_COMMIT, COMMIT_VERSION, request, OffsetCommitResponse.class, response -> {
            int error = response.topics().get(0).partitions().get(0).errorCode();
            requireNoMembers(error);
            BrokerCalls.require(error, null);
            exchange.answer(ConsoleApi.done());
        });
    }

    /** Sets the offset at which a share group starts in a partition. It forgets what it has acknowledged there. */
    void alterShare(HttpExchange exchange) {
        Form form = Form.of(exchange);
        AlterShareGroupOffsetsRequestPartition partition = new AlterShareGroupOffsetsRequestPartition()
                .partitionIndex((int) form.number("partition", Integer.MAX_VALUE))
                .startOffset(form.number("offset", Long.MAX_VALUE));
        AlterShareGroupOffsetsRequest request = new AlterShareGroupOffsetsRequest()
                .groupId(form.required("id"))
                .topics(List.of(new AlterShareGroupOffsetsRequestTopic()
                        .topicName(form.required("topic"))
                        .partitions(List.of(partition))));
        calls.ask(
                exchange,
                ApiKey.ALTER_SHARE_GROUP_OFFSETS,
                ALTER_VERSION,
                request,
                AlterShareGroupOffsetsResponse.class,
                response -> {
                    requireNoMembers(response.errorCode());
                    BrokerCalls.require(response.errorCode(), response.errorMessage());
                    AlterShareGroupOffsetsResponsePartition altered =
                            response.responses().get(0).partitions().get(0);
                    BrokerCalls.require(altered.errorCode(), altered.errorMessage());
                    exchange.answer(ConsoleApi.done());
                });
    }

    void delete(HttpExchange exchange) {
        DeleteGroupsRequest request =
                new DeleteGroupsRequest().groupsNames(List.of(Form.of(exchange).required("id")));
        calls.ask(exchange, ApiKey.DELETE_GROUPS, DELETE_VERSION, request, DeleteGroupsResponse.class, response -> {
            int error = response.results().get(0).errorCode();
            requireNoMembers(error);
            BrokerCalls.require(error, null);
            exchange.answer(ConsoleApi.done());
        });
    }

    private static void requireNoMembers(int error) {
        if (error == ErrorCode.UNKNOWN_MEMBER_ID.code() || error == ErrorCode.NON_EMPTY_GROUP.code()) {
            throw HttpProblem.badRequest("the group has members: stop them first");
        }
    }
}
