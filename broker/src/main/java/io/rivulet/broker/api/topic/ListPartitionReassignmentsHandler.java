package io.rivulet.broker.api.topic;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ListPartitionReassignmentsRequest;
import io.rivulet.protocol.message.ListPartitionReassignmentsResponse;
import io.rivulet.protocol.wire.Message;

/** Lists nothing, because no partition can move. Tools send this request when they describe topics. */
final class ListPartitionReassignmentsHandler
        implements Handler<ListPartitionReassignmentsRequest>, Refusal<ListPartitionReassignmentsRequest> {
    @Override
    public void handle(Call call, ListPartitionReassignmentsRequest request) {
        call.answer(new ListPartitionReassignmentsResponse());
    }

    @Override
    public Message refuse(ListPartitionReassignmentsRequest request, short version, ErrorCode error) {
        return new ListPartitionReassignmentsResponse().errorCode(error.code());
    }
}
