package io.rivulet.bench.hostile;

import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupRequest.MemberIdentity;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** Attacks by way of the group APIs. Stateless. */
final class GroupAttacks {
    private static final short HEARTBEAT_VERSION = 1;
    private static final short LEAVE_VERSION = 5;
    private static final short JOIN_VERSION = 9;
    private static final short DESCRIBE_VERSION = 5;
    private static final int NESTING = 16_000;
    private static final int LEAVING_MEMBERS = 2_000_000;
    private static final int GROUPS_AT_ONCE = 500;
    private static final int SUBSCRIPTION_BYTES = 100_000;
    private static final int SAME_GROUP = 100_000;

    private GroupAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("nested regex", port -> subscribe(port, nested())),
                new Attack("regex of repeats", port -> subscribe(port, "((a{1000}){1000}){1000}")),
                new Attack("slow regex", port -> subscribe(port, "(\\pL{100}){999}")),
                new Attack("long LeaveGroup", GroupAttacks::leave),
                new Attack("many groups", GroupAttacks::join),
                new Attack("the same group described often", GroupAttacks::describe));
    }

    private static String nested() {
        return "(".repeat(NESTING) + "a" + ")".repeat(NESTING);
    }

    private static void subscribe(int port, String regex) throws IOException {
        try (Wire wire = new Wire(port)) {
            wire.call(
                    ApiKey.CONSUMER_GROUP_HEARTBEAT,
                    HEARTBEAT_VERSION,
                    new ConsumerGroupHeartbeatRequest()
                            .groupId("regex")
                            .memberId(UUID.randomUUID().toString())
                            .memberEpoch(0)
                            .rebalanceTimeoutMs(1000)
                            .subscribedTopicRegex(regex)
                            .topicPartitions(List.of()));
        }
    }

    private static void leave(int port) throws IOException {
        try (Wire wire = new Wire(port)) {
            wire.call(
                    ApiKey.LEAVE_GROUP,
                    LEAVE_VERSION,
                    new LeaveGroupRequest()
                            .groupId("long")
                            .members(Collections.nCopies(
                                    LEAVING_MEMBERS,
                                    new MemberIdentity().memberId("a member with an id of forty characters"))));
        }
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

    private static void describe(int port) throws IOException {
        try (Wire wire = new Wire(port)) {
            wire.call(
                    ApiKey.DESCRIBE_GROUPS,
                    DESCRIBE_VERSION,
                    new DescribeGroupsRequest().groups(Collections.nCopies(SAME_GROUP, GoodClient.GROUP)));
        }
    }
}
