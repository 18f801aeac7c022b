package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.ShareGroups;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** A member joins, stays in or leaves its share group. */
record ShareGroupHeartbeatHandler(Groups groups, GroupAnswers answers)
        implements ChangeHandler<ShareGroupHeartbeatRequest> {
    @Override
    public void handle(Call call, ShareGroupHeartbeatRequest request) {
        groups.shares()
                .heartbeat(
                        request,
                        call.clientId(),
                        call.origin().clientHost(),
                        response -> answers.answer(call, response));
    }

    @Override
    public Message refuse(ShareGroupHeartbeatRequest request, short version, ErrorCode error) {
        return ShareGroups.refused(error);
    }

    /** A client that may not describe all topics of its subscription gets none of them, as in Kafka. */
    @Override
    public ErrorCode check(Access access, ShareGroupHeartbeatRequest request, short version) {
        List<String> names = request.subscribedTopicNames();
        boolean mayDescribe =
                names == null || names.stream().allMatch(name -> access.mayTopic(Operation.DESCRIBE, name));
        ErrorCode error = Permissions.group(access, Operation.READ, request.groupId());
        return error != ErrorCode.NONE || mayDescribe ? error : ErrorCode.TOPIC_AUTHORIZATION_FAILED;
    }
}
