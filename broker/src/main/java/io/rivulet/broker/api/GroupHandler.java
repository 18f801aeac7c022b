package io.rivulet.broker.api;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.ConsumerGroups;
import io.rivulet.broker.group.GroupCoordinator;
import io.rivulet.broker.group.GroupOffsets;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.OffsetFetch;
import io.rivulet.broker.group.classic.ClassicAnswers;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.DeleteGroupsResponse.DeletableGroupResult;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.HeartbeatResponse;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupResponse;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetCommitResponse.OffsetCommitResponseTopic;
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopic;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.wire.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The APIs of groups: takes each call to the thread that owns them, where it is answered. */
public final class GroupHandler {
    private static final Logger LOG = LoggerFactory.getLogger(GroupHandler.class);
    private static final short TURNED_AWAY = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS.code();

    private final Groups groups;
    private final LongAnswers longAnswers;

    public GroupHandler(Groups groups, LongAnswers longAnswers) {
        this.groups = groups;
        this.longAnswers = longAnswers;
    }

    void handle(Call call) {
        if (!groups.offer(() -> run(call))) {
            call.answer(turnedAway(call));
        }
    }

    /** On the thread that owns the groups. */
    private void run(Call call) {
        try {
            if (groups.isBehind()) {
                call.answer(turnedAway(call));
            } else {
                dispatch(call);
            }
        } catch (RuntimeException e) {
            LOG.error("{} failed", call.key(), e);
            call.fail("a request about groups failed");
        }
    }

    private void dispatch(Call call) {
        GroupCoordinator coordinator = groups.coordinator();
        short version = call.version();
        Message body = call.body();
        switch (call.key()) {
            case JOIN_GROUP ->
                coordinator.join(new JoinCall(
                        (JoinGroupRequest) body,
                        version,
                        call.clientId(),
                        call.origin().clientHost(),
                        call::answer));
            case SYNC_GROUP -> coordinator.sync((SyncGroupRequest) body, call::answer);
            case HEARTBEAT -> call.answer(coordinator.heartbeat((HeartbeatRequest) body));
            case LEAVE_GROUP -> call.answer(coordinator.leave((LeaveGroupRequest) body, version));
            case CONSUMER_GROUP_HEARTBEAT ->
                groups.consumers()
                        .heartbeat(
                                (ConsumerGroupHeartbeatRequest) body,
                                version,
                                call.clientId(),
                                call.origin().clientHost(),
                                call::answer);
            case CONSUMER_GROUP_DESCRIBE ->
                call.answer(groups.consumers().describe((ConsumerGroupDescribeRequest) body));
            case DESCRIBE_GROUPS -> call.answer(coordinator.describe((DescribeGroupsRequest) body, version));
            case LIST_GROUPS -> call.answer(coordinator.list((ListGroupsRequest) body));
            case DELETE_GROUPS -> coordinator.delete((DeleteGroupsRequest) body, call::answer);
            case OFFSET_COMMIT ->
                groups.offsets().commit((OffsetCommitRequest) body, version, told -> answer(call, told));
            case OFFSET_FETCH -> answer(call, groups.offsetFetch().fetch((OffsetFetchRequest) body, version));
            case OFFSET_DELETE -> groups.offsets().delete((OffsetDeleteRequest) body, call::answer);
            default -> throw new IllegalStateException(call.key() + " is not about groups");
        }
    }

    private void answer(Call call, OffsetCommitResponse told) {
        long parts = told.topics().size();
        for (OffsetCommitResponseTopic topic : told.topics()) {
            parts += topic.partitions().size();
        }
        longAnswers.answer(call, told, parts);
    }

    private void answer(Call call, OffsetFetchResponse told) {
        long parts = 0;
        for (OffsetFetchResponseTopic topic : told.topics()) {
            parts += 1 + topic.partitions().size();
        }
        for (OffsetFetchResponseGroup group : told.groups()) {
            for (OffsetFetchResponseTopics topic : group.topics()) {
                parts += 1 + topic.partitions().size();
            }
        }
        longAnswers.answer(call, told, parts);
    }

    /** Clients take it for a coordinator that is not ready yet, and come again. */
    private static Message turnedAway(Call call) {
        return switch (call.key()) {
            case JOIN_GROUP ->
                ClassicAnswers.joinError(
                        ((JoinGroupRequest) call.body()).memberId(), ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);
            // The member joins again; older clients know no other answer.
            case SYNC_GROUP -> ClassicAnswers.syncError(ErrorCode.REBALANCE_IN_PROGRESS);
            case HEARTBEAT -> new HeartbeatResponse();
            case LEAVE_GROUP -> new LeaveGroupResponse().errorCode(TURNED_AWAY);
            case CONSUMER_GROUP_HEARTBEAT -> ConsumerGroups.turnedAway();
            case CONSUMER_GROUP_DESCRIBE -> ConsumerGroups.turnedAway((ConsumerGroupDescribeRequest) call.body());
            case DESCRIBE_GROUPS ->
                new DescribeGroupsResponse()
                        .groups(((DescribeGroupsRequest) call.body())
                                .groups().stream()
                                        .map(id ->
                                                new DescribedGroup().groupId(id).errorCode(TURNED_AWAY))
                                        .toList());
            case LIST_GROUPS -> new ListGroupsResponse().errorCode(TURNED_AWAY);
            case DELETE_GROUPS ->
                new DeleteGroupsResponse()
                        .results(((DeleteGroupsRequest) call.body())
                                .groupsNames().stream()
                                        .map(id -> new DeletableGroupResult()
                                                .groupId(id)
                                                .errorCode(TURNED_AWAY))
                                        .toList());
            case OFFSET_COMMIT -> GroupOffsets.turnedAway((OffsetCommitRequest) call.body());
            case OFFSET_FETCH -> OffsetFetch.turnedAway((OffsetFetchRequest) call.body());
            case OFFSET_DELETE -> new OffsetDeleteResponse().errorCode(TURNED_AWAY);
            default -> throw new IllegalStateException(call.key() + " is not about groups");
        };
    }
}
