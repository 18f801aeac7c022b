package io.rivulet.broker.api.group;

import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.ConsumerGroups;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.wire.Message;

/** A member of the consumer protocol joins, stays in or leaves its group. */
final class ConsumerGroupHeartbeatHandler implements ChangeHandler<ConsumerGroupHeartbeatRequest> {
    private final Groups groups;
    private final GroupAnswers answers;

    ConsumerGroupHeartbeatHandler(Groups groups, GroupAnswers answers) {
        this.groups = groups;
        this.answers = answers;
    }

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
