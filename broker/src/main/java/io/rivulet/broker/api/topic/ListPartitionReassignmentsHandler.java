package io.rivulet.broker.api.topic;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.ListPartitionReassignmentsRequest;
import io.rivulet.protocol.message.ListPartitionReassignmentsResponse;

/** Lists nothing, because no partition can move. Tools send this request when they describe topics. */
final class ListPartitionReassignmentsHandler implements Handler<ListPartitionReassignmentsRequest> {
    @Override
    public void handle(Call call, ListPartitionReassignmentsRequest request) {
        call.answer(new ListPartitionReassignmentsResponse());
    }
}
