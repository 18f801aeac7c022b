package io.rivulet.broker.api;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.ConsumerGroups;
import io.rivulet.broker.group.GroupCoordinator;
import io.rivulet.broker.group.GroupOffsets;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.LongQuestions.Question;
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
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.wire.Message;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The APIs of groups: takes each call to the thread that owns them, where it is answered. */
public final class GroupHandler {
    private static final Logger LOG = LoggerFactory.getLogger(GroupHandler.class);
    private static final short TURNED_AWAY = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS.code();

    private static final int SHORT_BYTES = 64 << 10;

    private final Groups groups;
    private final LongAnswers longAnswers;
    private final long maxUnwrittenBytes;
    /** Of long answers that are still to be written. */
    private final AtomicLong unwrittenBytes = new AtomicLong();

    /** @param maxUnwrittenBytes beyond that, clients are told to come again */
    public GroupHandler(Groups groups, LongAnswers longAnswers, long maxUnwrittenBytes) {
        this.groups = groups;
        this.longAnswers = longAnswers;
        this.maxUnwrittenBytes = maxUnwrittenBytes;
    }

    void handle(Call call) {
        if (!groups.offer(() -> run(call))) {
            call.answer(turnedAway(call));
        }
    }

    /** On the thread that owns the groups. */
    private void run(Call call) {
        try {
            if (isQuestion(call)) {
                ask(call, question(call));
            } else if (groups.isBehind() || (mayBeLong(call) && unwrittenBytes.get() > maxUnwrittenBytes)) {
                call.answer(turnedAway(call));
            } else {
                dispatch(call);
            }
        } catch (RuntimeException e) {
            if (!isQuestion(call)) {
                throw e; // what it has left half-changed can't be trusted
            }
            LOG.error("{} failed", call.key(), e);
            call.fail("a request about groups failed");
        }
    }

    /** It changes nothing. */
    private static boolean isQuestion(Call call) {
        return switch (call.key()) {
            case DESCRIBE_GROUPS, LIST_GROUPS, OFFSET_FETCH, CONSUMER_GROUP_DESCRIBE -> true;
            default -> false;
        };
    }

    /** The answer to a member that joins may have all members. */
    private static boolean mayBeLong(Call call) {
        return switch (call.key()) {
            case JOIN_GROUP, SYNC_GROUP -> true;
            default -> false;
        };
    }

    private <T extends Message> void ask(Call call, Question<T> question) {
        AskingCall<T> asker =
                new AskingCall<>(call, told -> answer(call, told), () -> groups.deliver(groups.questions()::answered));
        if (!groups.questions().ask(question, asker)) {
            call.answer(turnedAway(call));
        }
    }

    private Question<? extends Message> question(Call call) {
        short version = call.version();
        return switch (call.key()) {
            case CONSUMER_GROUP_DESCRIBE -> groups.consumers().describe((ConsumerGroupDescribeRequest) call.body());
            case DESCRIBE_GROUPS -> groups.coordinator().describe((DescribeGroupsRequest) call.body(), version);
            case LIST_GROUPS -> groups.coordinator().list((ListGroupsRequest) call.body());
            case OFFSET_FETCH -> groups.offsetFetch().fetch((OffsetFetchRequest) call.body(), version);
            default -> throw new IllegalStateException(call.key() + " is no question about groups");
        };
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
                        told -> answer(call, told)));
            case SYNC_GROUP -> coordinator.sync((SyncGroupRequest) body, told -> answer(call, told));
            case HEARTBEAT -> call.answer(coordinator.heartbeat((HeartbeatRequest) body));
            case LEAVE_GROUP -> answer(call, coordinator.leave((LeaveGroupRequest) body, version));
            case CONSUMER_GROUP_HEARTBEAT ->
                groups.consumers()
                        .heartbeat(
                                (ConsumerGroupHeartbeatRequest) body,
                                version,
                                call.clientId(),
                                call.origin().clientHost(),
                                told -> answer(call, told));
            case DELETE_GROUPS -> coordinator.delete((DeleteGroupsRequest) body, told -> answer(call, told));
            case OFFSET_COMMIT ->
                groups.offsets().commit((OffsetCommitRequest) body, version, told -> answer(call, told));
            case OFFSET_DELETE -> groups.offsets().delete((OffsetDeleteRequest) body, told -> answer(call, told));
            default -> throw new IllegalStateException(call.key() + " is not about groups");
        }
    }

    /** A long answer counts until it is written: a short question may have one. */
    private void answer(Call call, Message told) {
        int bytes = told.sizeInBytes(call.version());
        if (bytes >= 0 && bytes <= SHORT_BYTES) {
            call.answer(told);
            return;
        }
        long counted = Math.max(bytes, SHORT_BYTES);
        unwrittenBytes.addAndGet(counted);
        longAnswers.answer(call, told, () -> unwrittenBytes.addAndGet(-counted));
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
