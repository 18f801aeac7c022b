package io.rivulet.broker.group.consumer;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import org.jspecify.annotations.Nullable;

/**
 * Checks a heartbeat on its own, without the group's state. Its regular expression is compiled elsewhere. Pure
 * functions.
 */
public final class HeartbeatChecks {
    public static final int JOIN = 0;
    static final int LEAVE = -1;
    static final int LEAVE_FOR_A_WHILE = ConsumerMember.AWAY;

    /** From this version on the client generates the member id. */
    private static final short ID_FROM_MEMBER = 1;
    /** Bounds the heap that one heartbeat may take. */
    private static final int MAX_SUBSCRIPTION_CHARS = 512 << 10;

    private HeartbeatChecks() {}

    public static void check(ConsumerGroupHeartbeatRequest request, short version, ConsumerGroupSettings settings) {
        int epoch = request.memberEpoch();
        requireText(request.groupId(), "GroupId");
        if (version >= ID_FROM_MEMBER || epoch > JOIN || epoch == LEAVE) {
            requireText(request.memberId(), "MemberId");
        }
        requireText(request.instanceId(), "InstanceId");
        requireText(request.rackId(), "RackId");
        require(epoch >= LEAVE_FOR_A_WHILE, "MemberEpoch is invalid.");
        if (epoch == JOIN) {
            require(request.rebalanceTimeoutMs() != -1, "RebalanceTimeoutMs must be provided in first request.");
            require(
                    request.topicPartitions() != null
                            && request.topicPartitions().isEmpty(),
                    "TopicPartitions must be empty when (re-)joining.");
            require(
                    request.subscribedTopicNames() != null || request.subscribedTopicRegex() != null,
                    "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.");
        }
        require(
                epoch != LEAVE_FOR_A_WHILE || request.instanceId() != null,
                "InstanceId must be provided when a static member leaves for a while.");
        String assignor = request.serverAssignor();
        if (assignor != null && !settings.assignors().contains(assignor)) {
            throw new RefusedException(
                    ErrorCode.UNSUPPORTED_ASSIGNOR,
                    "ServerAssignor " + assignor + " is not supported. Supported assignors: "
                            + String.join(", ", settings.assignors()) + ".");
        }
        checkSubscription(request);
    }

    private static void checkSubscription(ConsumerGroupHeartbeatRequest request) {
        if (request.subscribedTopicNames() != null) {
            long chars = 0;
            for (String name : request.subscribedTopicNames()) {
                chars += name.length() + 1;
            }
            require(chars <= MAX_SUBSCRIPTION_CHARS, "SubscribedTopicNames are too many; use SubscribedTopicRegex.");
        }
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
