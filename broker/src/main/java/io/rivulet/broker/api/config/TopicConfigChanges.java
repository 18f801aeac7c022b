package io.rivulet.broker.api.config;

import io.rivulet.broker.api.Futures;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Alters configs of topics, for both APIs that do so. Immutable. */
record TopicConfigChanges(TopicCatalogue topics, TopicAdmin admin) {
    private static final byte TOPIC = 2;

    /**
     * One change of a request.
     *
     * @param newConfigs computes the new configs of the topic from the present ones
     * @param refused called with the refusal, if there is one
     */
    record Change(
            byte resourceType,
            String resourceName,
            UnaryOperator<Map<String, String>> newConfigs,
            Consumer<RefusedException> refused) {
        String resource() {
            return resourceType + ":" + resourceName;
        }
    }

    /** Runs the action when each change is durable or refused. A resource must not be repeated. */
    void alter(List<Change> changes, boolean validateOnly, Runnable action) {
        Map<String, Integer> times = new HashMap<>();
        changes.forEach(change -> times.merge(change.resource(), 1, Integer::sum));
        Futures.whenAllEnded(
                changes.stream()
                        .map(change -> Futures.attempt(
                                () -> alter(change, times.getOrDefault(change.resource(), 0) > 1, validateOnly),
                                change.refused))
                        .toList(),
                action);
    }

    private CompletionStage<?> alter(Change change, boolean repeated, boolean validateOnly) {
        if (repeated) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "each resource must appear at most once");
        }
        if (change.resourceType != TOPIC) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "only configs of topics can be altered while the broker runs");
        }
        Topic topic = topics.find(change.resourceName);
        if (topic == null) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + change.resourceName + "'");
        }
        Map<String, String> changed = change.newConfigs.apply(topic.settings().overrides());
        topics.defaults().withOverrides(changed);
        return validateOnly ? CompletableFuture.completedFuture(null) : admin.setConfigs(topic, changed);
    }
}
