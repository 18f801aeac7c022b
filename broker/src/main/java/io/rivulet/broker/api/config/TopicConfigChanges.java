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

/** The walk that both ways of altering configs share: only those of topics can be altered. Immutable. */
final class TopicConfigChanges {
    private static final byte TOPIC = 2;

    /**
     * One of the changes that a request asks for.
     *
     * @param fold what it makes of the configs that the topic has
     * @param refused is told of the refusal, if it comes to that
     */
    record Wish(
            byte resourceType,
            String resourceName,
            UnaryOperator<Map<String, String>> fold,
            Consumer<RefusedException> refused) {
        String resource() {
            return resourceType + ":" + resourceName;
        }
    }

    private final TopicCatalogue topics;
    private final TopicAdmin admin;

    TopicConfigChanges(TopicCatalogue topics, TopicAdmin admin) {
        this.topics = topics;
        this.admin = admin;
    }

    /** Runs the action when each wish has been granted or refused. Each resource may be named once. */
    void alter(List<Wish> wishes, boolean validateOnly, Runnable action) {
        Map<String, Integer> times = new HashMap<>();
        wishes.forEach(wish -> times.merge(wish.resource(), 1, Integer::sum));
        Futures.whenAllEnded(
                wishes.stream()
                        .map(wish -> Futures.attempt(
                                () -> alter(wish, times.getOrDefault(wish.resource(), 0) > 1, validateOnly),
                                wish.refused))
                        .toList(),
                action);
    }

    private CompletionStage<?> alter(Wish wish, boolean again, boolean validateOnly) {
        if (again) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "each resource must appear at most once");
        }
        if (wish.resourceType != TOPIC) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "only configs of topics can be altered while the broker runs");
        }
        Topic topic = topics.find(wish.resourceName);
        if (topic == null) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + wish.resourceName + "'");
        }
        Map<String, String> changed = wish.fold.apply(topic.settings().overrides());
        topics.defaults().withOverrides(changed);
        return validateOnly ? CompletableFuture.completedFuture(null) : admin.setConfigs(topic, changed);
    }
}
