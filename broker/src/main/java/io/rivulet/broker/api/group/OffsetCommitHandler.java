package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.GroupOffsets;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetCommitResponse.OffsetCommitResponseTopic;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** Commits offsets of a group. */
record OffsetCommitHandler(Groups groups, TopicCatalogue topics, GroupAnswers answers)
        implements ChangeHandler<OffsetCommitRequest> {
    private static final short TOPIC_IDS_FROM_VERSION = 10;

    @Override
    public void handle(Call call, OffsetCommitRequest request) {
        boolean byId = call.version() >= TOPIC_IDS_FROM_VERSION;
        Split<OffsetCommitRequestTopic> split =
                Split.of(request.topics(), topic -> mayCommit(call.access(), topic, byId));
        List<OffsetCommitResponseTopic> denied =
                GroupOffsets.refused(split.denied(), ErrorCode.TOPIC_AUTHORIZATION_FAILED);
        if (split.allowed().isEmpty() && !denied.isEmpty()) {
            answers.answer(call, new OffsetCommitResponse().topics(denied));
            return;
        }
        groups.offsets()
                .commit(
                        request.topics(split.allowed()),
                        call.version(),
                        response -> answers.answer(call, response.topics(Split.joined(response.topics(), denied))));
    }

    /** An id that is unknown is no topic, so there is no right to ask for. */
    private boolean mayCommit(Access access, OffsetCommitRequestTopic wanted, boolean byId) {
        if (access.isUnlimited()) {
            return true;
        }
        Topic topic = byId ? topics.find(wanted.topicId()) : null;
        return (byId && topic == null) || access.mayTopic(Operation.READ, topic == null ? wanted.name() : topic.name());
    }

    @Override
    public ErrorCode check(Access access, OffsetCommitRequest request, short version) {
        return Permissions.group(access, Operation.READ, request.groupId());
    }

    @Override
    public Message refuse(OffsetCommitRequest request, short version, ErrorCode error) {
        return new OffsetCommitResponse().topics(GroupOffsets.refused(request.topics(), error));
    }
}
