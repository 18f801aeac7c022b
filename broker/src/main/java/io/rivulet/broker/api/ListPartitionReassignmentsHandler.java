package io.rivulet.broker.api;

import io.rivulet.broker.call.Call;
import io.rivulet.protocol.message.ListPartitionReassignmentsResponse;

/** Partitions have one place where they can be, so none is ever on the move. Tools ask when they describe topics. */
public final class ListPartitionReassignmentsHandler {
    void handle(Call call) {
        call.answer(new ListPartitionReassignmentsResponse());
    }
}
