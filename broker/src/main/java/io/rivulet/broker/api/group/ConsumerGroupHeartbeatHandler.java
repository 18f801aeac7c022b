package io.rivulet.broker.api.group;

import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.ConsumerGroups;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.wire.Message;

/** A member of the consumer protocol joins, stays in or leaves its group. */
record ConsumerGroupHeartbeatHandler(Groups groups, GroupAnswers answers)
        implements ChangeHandler<ConsumerGroupHeartbeatRequest> {
    @Override
    public void handle(Call call, ConsumerGroupHeartbeatRequest request) {
        groups.consumers()
                .heartbeat(
                        request,
                        call.version(),
                        call.clientId(),
                        call.origin().clientHost(),
                        response -> answers.answer(call, response));
    }

    @Override
    public Message refuse(ConsumerGroupHeartbeatRequest request, short version, ErrorCode error) {
        return ConsumerGroups.refused(error);
    }
}
