package io.rivulet.broker.api.topic;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
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
record DeleteTopicsHandler(ApiParts parts) implements Handler<DeleteTopicsRequest> {
    private static final short STATES_FROM_VERSION = 6;
    private static final short STRICT_QUOTA_FROM_VERSION = 5;

    @Override
    public void handle(Call call, DeleteTopicsRequest request) {
        List<DeleteTopicState> wanted = wanted(call, request);
        List<DeletableTopicResult> results = new ArrayList<>(wanted.size());
        Futures.inParts(
                wanted.size(),
                TopicAdmin.MAX_DELETED_AT_ONCE,
                parts.longAnswers().parts(),
                (from, to) -> delete(call, wanted.subList(from, to), results),
                () -> parts.longAnswers().answer(call, new DeleteTopicsResponse().responses(results), results.size()));
    }

    private CompletionStage<?> delete(Call call, List<DeleteTopicState> wanted, List<DeletableTopicResult> results) {
        Access access = call.access();
        boolean mayDeleteAll = access.mayCluster(Operation.DELETE);
        List<Topic> found = new ArrayList<>(wanted.size());
        List<DeletableTopicResult> foundResults = new ArrayList<>(wanted.size());
        for (DeleteTopicState one : wanted) {
            DeletableTopicResult result =
                    new DeletableTopicResult().name(one.name()).topicId(one.topicId());
            results.add(result);
            try {
                Topic topic = find(one.name(), one.topicId(), mayDeleteAll ? Access.UNLIMITED : access, result);
                Mutations.count(call, topic.partitionCount(), STRICT_QUOTA_FROM_VERSION);
                found.add(topic);
                foundResults.add(result.name(topic.name()).topicId(topic.id()));
            } catch (RefusedException e) {
                refuse(result, e);
            }
        }
        return Futures.attempt(
                () -> found.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : parts.admin().delete(found),
                refusal -> foundResults.forEach(result -> refuse(result, refusal)));
    }

    private static void refuse(DeletableTopicResult result, RefusedException refusal) {
        result.errorCode(refusal.code().code()).errorMessage(refusal.getMessage());
    }

    private static List<DeleteTopicState> wanted(Call call, DeleteTopicsRequest request) {
        return call.version() >= STATES_FROM_VERSION
                ? request.topics()
                : request.topicNames().stream()
                        .map(name -> new DeleteTopicState().name(name))
                        .toList();
    }

    /** The answer names a topic that was asked for by its id only if the client may describe it. */
    private Topic find(@Nullable String name, Uuid id, Access access, DeletableTopicResult result) {
        if (!parts.config().deleteTopics()) {
            throw new RefusedException(ErrorCode.TOPIC_DELETION_DISABLED, "delete.topic.enable is false");
        }
        if (name != null && !id.equals(Uuid.ZERO)) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "a topic is named by its name or its id, not by both");
        }
        if (name != null && !access.mayTopic(Operation.DESCRIBE, name)) {
            throw notAllowed();
        }
        Topic topic = name != null ? parts.topics().find(name) : parts.topics().find(id);
        if (topic == null) {
            throw name != null
                    ? new RefusedException(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + name + "'")
                    : new RefusedException(ErrorCode.UNKNOWN_TOPIC_ID, "there is no topic with id " + id);
        }
        if (!access.mayTopic(Operation.DELETE, topic.name())) {
            result.name(access.mayTopic(Operation.DESCRIBE, topic.name()) ? topic.name() : null);
            throw notAllowed();
        }
        return topic.requireOfClients(ErrorCode.INVALID_REQUEST);
    }

    private static RefusedException notAllowed() {
        return new RefusedException(ErrorCode.TOPIC_AUTHORIZATION_FAILED, "the topic may not be deleted");
    }
}
