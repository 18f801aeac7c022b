package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.StreamsGroups;
import io.rivulet.broker.group.streams.TopologyLimits;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.TopicNames;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Subtopology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TopicInfo;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.wire.Message;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A member of the streams protocol joins, stays in or leaves its group. */
record StreamsGroupHeartbeatHandler(Groups groups, GroupAnswers answers, InternalTopicCreation creation)
        implements ChangeHandler<StreamsGroupHeartbeatRequest> {
    private static final short TASK_OFFSETS_FROM_VERSION = 1;
    /** Offsets of tasks are not read, so clients of Kafka 4.4 need not send them often. */
    private static final int TASK_OFFSET_INTERVAL_MILLIS = 86_400_000;

    @Override
    public void handle(Call call, StreamsGroupHeartbeatRequest request) {
        StreamsGroupHeartbeatResponse invalid = invalidNames(request);
        if (invalid != null) {
            answers.answer(call, invalid);
            return;
        }
        groups.streams().heartbeat(request, call.clientId(), call.origin().clientHost(), answer -> {
            if (call.version() >= TASK_OFFSETS_FROM_VERSION) {
                answer.response().taskOffsetIntervalMs(TASK_OFFSET_INTERVAL_MILLIS);
            }
            creation.create(call, answer.toCreate(), answer.response(), () -> answers.answer(call, answer.response()));
        });
    }

    private static @Nullable StreamsGroupHeartbeatResponse invalidNames(StreamsGroupHeartbeatRequest request) {
        if (!TopologyLimits.areKept(request.topology())) {
            return null; // The group refuses it, and the names are too many to look at each here.
        }
        Set<String> names = topicNames(request);
        List<String> internal =
                names.stream().filter(name -> InternalTopic.named(name) != null).toList();
        List<String> wrong =
                names.stream().filter(name -> !TopicNames.isValid(name)).toList();
        if (internal.isEmpty() && wrong.isEmpty()) {
            return null;
        }
        return StreamsGroups.refused(ErrorCode.STREAMS_INVALID_TOPOLOGY)
                .errorMessage(RefusedException.fitting(
                        internal.isEmpty()
                                ? "These are no names of topics: " + String.join(",", wrong) + "."
                                : "An application can't use the broker's own topics " + String.join(",", internal)
                                        + "."));
    }

    private static Set<String> topicNames(StreamsGroupHeartbeatRequest request) {
        Set<String> names = new TreeSet<>();
        if (request.topology() != null) {
            for (Subtopology part : request.topology().subtopologies()) {
                names.addAll(part.sourceTopics());
                names.addAll(part.repartitionSinkTopics());
                part.repartitionSourceTopics().stream().map(TopicInfo::name).forEach(names::add);
                part.stateChangelogTopics().stream().map(TopicInfo::name).forEach(names::add);
            }
        }
        return names;
    }

    @Override
    public Message refuse(StreamsGroupHeartbeatRequest request, short version, ErrorCode error) {
        return StreamsGroups.refused(error);
    }

    /** A client that may not describe all topics of its topology can't join, as in Kafka. */
    @Override
    public ErrorCode check(Access access, StreamsGroupHeartbeatRequest request, short version) {
        ErrorCode error = Permissions.group(access, Operation.READ, request.groupId());
        boolean mayDescribe = access.isUnlimited()
                || !TopologyLimits.areKept(request.topology()) // then it is refused anyway
                || topicNames(request).stream().allMatch(name -> access.mayTopic(Operation.DESCRIBE, name));
        return error != ErrorCode.NONE || mayDescribe ? error : ErrorCode.TOPIC_AUTHORIZATION_FAILED;
    }
}
