package io.rivulet.broker.api.group;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.coordinator.CoordinatorCalls;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.Route.Lane;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.Groups;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of groups and their offsets. */
public final class GroupApis {
    private GroupApis() {}

    public static List<Route> routes(ApiParts parts, Groups groups, CoordinatorCalls calls) {
        long maxUnwrittenBytes = parts.config().groups().maxHeapBytes() / 2;
        GroupAnswers answers = new GroupAnswers(parts.longAnswers(), maxUnwrittenBytes);
        return List.of(
                Route.of(ApiKey.FIND_COORDINATOR, new FindCoordinatorHandler(parts)),
                calls.change(ApiKey.JOIN_GROUP, new JoinGroupHandler(groups, answers))
                        .pipelined(Lane.WRITES),
                // The member joins again. Older clients accept no other error.
                calls.change(ApiKey.SYNC_GROUP, new SyncGroupHandler(groups, answers))
                        .pipelined(Lane.WRITES)
                        .busyWith(ErrorCode.REBALANCE_IN_PROGRESS),
                calls.change(ApiKey.HEARTBEAT, new HeartbeatHandler(groups))
                        .pipelined(Lane.WRITES)
                        .busyWith(ErrorCode.NONE),
                calls.change(ApiKey.LEAVE_GROUP, new LeaveGroupHandler(groups, answers))
                        .pipelined(Lane.WRITES),
                calls.change(ApiKey.CONSUMER_GROUP_HEARTBEAT, new ConsumerGroupHeartbeatHandler(groups, answers))
                        .pipelined(Lane.WRITES),
                calls.change(ApiKey.SHARE_GROUP_HEARTBEAT, new ShareGroupHeartbeatHandler(groups, answers))
                        .pipelined(Lane.WRITES),
                calls.change(ApiKey.ALTER_SHARE_GROUP_OFFSETS, new AlterShareGroupOffsetsHandler(groups, answers)),
                calls.change(ApiKey.DELETE_SHARE_GROUP_OFFSETS, new DeleteShareGroupOffsetsHandler(groups, answers)),
                calls.change(
                                ApiKey.STREAMS_GROUP_HEARTBEAT,
                                new StreamsGroupHeartbeatHandler(groups, answers, new InternalTopicCreation(parts)))
                        .pipelined(Lane.WRITES),
                calls.change(ApiKey.DELETE_GROUPS, new DeleteGroupsHandler(groups, answers)),
                calls.change(ApiKey.OFFSET_COMMIT, new OffsetCommitHandler(groups, parts.topics(), answers))
                        .pipelined(Lane.WRITES),
                calls.change(ApiKey.OFFSET_DELETE, new OffsetDeleteHandler(groups, answers)),
                calls.question(ApiKey.DESCRIBE_GROUPS, new DescribeGroupsHandler(groups, answers)),
                calls.question(ApiKey.LIST_GROUPS, new ListGroupsHandler(groups, answers)),
                calls.question(ApiKey.OFFSET_FETCH, new OffsetFetchHandler(groups, answers)),
                calls.question(ApiKey.CONSUMER_GROUP_DESCRIBE, new ConsumerGroupDescribeHandler(groups, answers)),
                calls.question(ApiKey.SHARE_GROUP_DESCRIBE, new ShareGroupDescribeHandler(groups, answers)),
                calls.question(
                        ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS, new DescribeShareGroupOffsetsHandler(groups, answers)),
                calls.question(ApiKey.STREAMS_GROUP_DESCRIBE, new StreamsGroupDescribeHandler(groups, answers)));
    }
}
