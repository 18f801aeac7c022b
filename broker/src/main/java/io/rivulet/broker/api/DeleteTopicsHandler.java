package io.rivulet.broker.api;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.DeleteTopicsResponse.DeletableTopicResult;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Deletes topics by name or by id. */
public final class DeleteTopicsHandler {
    private static final short STATES_FROM_VERSION = 6;

    private final TopicCatalogue topics;
    private final TopicAdmin admin;
    private final boolean enabled;

    /** @param enabled delete.topic.enable */
    public DeleteTopicsHandler(TopicCatalogue topics, TopicAdmin admin, boolean enabled) {
        this.topics = topics;
        this.admin = admin;
        this.enabled = enabled;
    }

    void handle(Call call, DeleteTopicsRequest request) {
        List<DeletableTopicResult> results = new ArrayList<>();
        List<CompletableFuture<?>> deletions = new ArrayList<>();
        for (DeleteTopicState wanted : wanted(call, request)) {
            DeletableTopicResult result =
                    new DeletableTopicResult().name(wanted.name()).topicId(wanted.topicId());
            results.add(result);
            deletions.add(Futures.attempt(
                    () -> delete(wanted, result),
                    refusal -> result.errorCode(refusal.code().code()).errorMessage(refusal.getMessage())));
        }
        Futures.whenAllEnded(deletions, () -> call.answer(new DeleteTopicsResponse().responses(results)));
    }

    private static List<DeleteTopicState> wanted(Call call, DeleteTopicsRequest request) {
        return call.version() >= STATES_FROM_VERSION
                ? request.topics()
                : request.topicNames().stream()
                        .map(name -> new DeleteTopicState().name(name))
                        .toList();
    }

    private CompletionStage<?> delete(DeleteTopicState wanted, DeletableTopicResult result) {
        Topic topic = find(wanted.name(), wanted.topicId());
        result.name(topic.name()).topicId(topic.id());
        return admin.delete(topic);
    }

    private Topic find(@Nullable String name, Uuid id) {
        if (!enabled) {
            throw new RefusedException(ErrorCode.TOPIC_DELETION_DISABLED, "delete.topic.enable is false");
        }
        if (name != null && !id.equals(Uuid.ZERO)) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "a topic is named by its name or its id, not by both");
        }
        Topic topic = name != null ? topics.find(name) : topics.find(id);
        if (topic == null) {
            throw name != null
                    ? new RefusedException(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + name + "'")
                    : new RefusedException(ErrorCode.UNKNOWN_TOPIC_ID, "there is no topic with id " + id);
        }
        return topic;
    }
}
