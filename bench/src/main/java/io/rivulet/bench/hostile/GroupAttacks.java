package io.rivulet.bench.hostile;

import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.rivulet.protocol.wire.Message;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** Attacks with the group APIs. Stateless. */
final class GroupAttacks {
    private static final short JOIN_VERSION = 9;
    private static final int NESTING = 16_000;
    private static final int LEAVING_MEMBERS = 2_000_000;
    private static final int GROUPS_AT_ONCE = 500;
    private static final int SUBSCRIPTION_BYTES = 100_000;
    private static final int SAME_GROUP = 100_000;

    private GroupAttacks() {}

    static List<Attack> all() {
        return List.of(
                subscribe("nested regex", "(".repeat(NESTING) + "a" + ")".repeat(NESTING)),
                subscribe("regex of repeats", "((a{1000}){1000}){1000}"),
                subscribe("slow regex", "(\\pL{100}){999}"),
                Attack.of("long LeaveGroup", ApiKey.LEAVE_GROUP, 5, GroupAttacks::leave),
                new Attack("many groups", GroupAttacks::join),
                Attack.of("one group described often", ApiKey.DESCRIBE_GROUPS, 5, GroupAttacks::describe));
    }

    private static Attack subscribe(String name, String regex) {
        return Attack.of(
                name,
                ApiKey.CONSUMER_GROUP_HEARTBEAT,
                1,
                () -> new ConsumerGroupHeartbeatRequest()
                        .groupId("regex")
                        .memberId(UUID.randomUUID().toString())
                        .memberEpoch(0)
                        .rebalanceTimeoutMs(1000)
                        .subscribedTopicRegex(regex)
                        .topicPartitions(List.of()));
    }

    private static Message leave() {
        return new LeaveGroupRequest()
                .groupId("long")
                .members(Collections.nCopies(
                        LEAVING_MEMBERS, new MemberIdentity().memberId("a member with an id of forty characters")));
    }

    private static void join(int port) throws IOException {
        byte[] subscription = new byte[SUBSCRIPTION_BYTES];
        try (Wire wire = new Wire(port)) {
            for (int i = 0; i < GROUPS_AT_ONCE; i++) {
                wire.call(
                        ApiKey.JOIN_GROUP,
                        JOIN_VERSION,
                        new JoinGroupRequest()
                                .groupId("group-" + UUID.randomUUID())
                                .sessionTimeoutMs(60_000)
                                .rebalanceTimeoutMs(60_000)
                                .protocolType("consumer")
                                .protocols(List.of(new JoinGroupRequestProtocol()
                                        .name("range")
                                        .metadata(subscription))));
            }
        }
    }

    private static Message describe() {
        return new DescribeGroupsRequest().groups(Collections.nCopies(SAME_GROUP, GoodClient.GROUP));
    }
}
