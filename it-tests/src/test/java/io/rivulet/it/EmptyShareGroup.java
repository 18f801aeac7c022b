package io.rivulet.it;

import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** Creates share groups for tests that fetch without being a member. Stateless. */
final class EmptyShareGroup {
    private static final short VERSION = 1;
    private static final int LEAVE = -1;

    private EmptyShareGroup() {}

    /** A member joins and leaves, so that the group exists. */
    static void create(Wire wire, String group) throws IOException {
        String member = Uuid.randomUuid().toString();
        heartbeat(wire, group, member, 0);
        heartbeat(wire, group, member, LEAVE);
    }

    static void create(int port, String group) throws IOException {
        try (Wire wire = new Wire(port)) {
            create(wire, group);
        }
    }

    private static void heartbeat(Wire wire, String group, String member, int epoch) throws IOException {
        ShareGroupHeartbeatRequestData request = new ShareGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setMemberEpoch(epoch)
                .setSubscribedTopicNames(epoch == 0 ? List.of("t") : null);
        ShareGroupHeartbeatResponseData answer =
                (ShareGroupHeartbeatResponseData) wire.ask(ApiKeys.SHARE_GROUP_HEARTBEAT, VERSION, request);
        Errors error = Errors.forCode(answer.errorCode());
        if (error != Errors.NONE) {
            throw new IOException("heartbeat of share group " + group + ": " + error + " " + answer.errorMessage());
        }
    }
}
