package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Endpoint;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.KeyValue;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Subtopology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TaskIds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks a heartbeat on its own, without the group's state. Pure functions. */
public final class StreamsHeartbeatChecks {
    public static final int JOIN = 0;
    static final int LEAVE = -1;
    static final int LEAVE_FOR_A_WHILE = -2;

    /** As long as the name of a host may be. */
    private static final int MAX_HOST_CHARS = 255;

    private static final int MAX_MEMBER_CHARS = 16 << 10;
    private static final int CHARS_PER_TAG = 8;

    private StreamsHeartbeatChecks() {}

    public static void check(StreamsGroupHeartbeatRequest request) {
        TopologyLimits.check(request.topology());
        checkMember(request);
        checkServed(request);
        requireText(request.memberId(), "MemberId");
        requireText(request.groupId(), "GroupId");
        requireText(request.rackId(), "RackId");
        int epoch = request.memberEpoch();
        require(epoch >= LEAVE_FOR_A_WHILE, "MemberEpoch is invalid.");
        if (epoch == JOIN) {
            require(request.rebalanceTimeoutMs() != -1, "RebalanceTimeoutMs must be provided in first request.");
            requireEmpty(request.activeTasks(), "ActiveTasks");
            requireEmpty(request.standbyTasks(), "StandbyTasks");
            requireEmpty(request.warmupTasks(), "WarmupTasks");
            require(request.topology() != null, "Topology must be non-null when (re-)joining.");
        } else {
            require(request.topology() == null, "Topology can only be provided when (re-)joining.");
        }
        boolean all = request.activeTasks() != null && request.standbyTasks() != null && request.warmupTasks() != null;
        boolean any = request.activeTasks() != null || request.standbyTasks() != null || request.warmupTasks() != null;
        require(all || !any, "If one task-type is non-null, all must be non-null.");
    }

    /** What Kafka 4.3 does not serve either. Offsets of tasks are for warm-ups; they are not read. */
    private static void checkServed(StreamsGroupHeartbeatRequest request) {
        require(request.instanceId() == null, "Static membership is not yet supported.");
        require(request.warmupTasks() == null || request.warmupTasks().isEmpty(), "WarmupTasks are not supported yet.");
        if (request.topology() != null) {
            for (Subtopology part : request.topology().subtopologies()) {
                require(
                        part.sourceTopicRegex().isEmpty(),
                        "Regular expressions for source topics are not supported yet.");
            }
        }
    }

    /** What the group keeps for each member, and tells others. */
    private static void checkMember(StreamsGroupHeartbeatRequest request) {
        Endpoint endpoint = request.userEndpoint();
        requireSmall(
                endpoint == null || endpoint.host().length() <= MAX_HOST_CHARS,
                "The host of the endpoint has more than " + MAX_HOST_CHARS + " characters.");
        long chars = chars(request.memberId()) + chars(request.processId()) + chars(request.rackId());
        for (KeyValue tag : request.clientTags() == null ? List.<KeyValue>of() : request.clientTags()) {
            chars += CHARS_PER_TAG + chars(tag.key()) + chars(tag.value());
        }
        requireSmall(
                chars <= MAX_MEMBER_CHARS,
                "The ids and client tags of the member have more than " + MAX_MEMBER_CHARS + " characters; each tag"
                        + " counts as " + CHARS_PER_TAG + " more.");
    }

    private static long chars(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static void requireSmall(boolean holds, String otherwise) {
        if (!holds) {
            throw new RefusedException(ErrorCode.POLICY_VIOLATION, otherwise);
        }
    }

    private static void requireEmpty(@Nullable List<TaskIds> tasks, String field) {
        require(tasks != null && tasks.isEmpty(), field + " must be empty when (re-)joining.");
    }

    private static void requireText(@Nullable String text, String field) {
        require(text == null || !text.isBlank(), field + " can't be empty.");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, otherwise);
        }
    }
}
