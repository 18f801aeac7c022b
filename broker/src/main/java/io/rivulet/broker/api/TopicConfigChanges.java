package io.rivulet.broker.api;

import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What both ways of altering configs share: only those of topics can be altered. Immutable. */
final class TopicConfigChanges {
    static final byte TOPIC = 2;

    private final TopicCatalogue topics;
    private final TopicAdmin admin;

    TopicConfigChanges(TopicCatalogue topics, TopicAdmin admin) {
        this.topics = topics;
        this.admin = admin;
    }

    /**
     * Changes a topic's configs to what {@code change} makes of them.
     *
     * @param refused is told of the refusal, if it comes to that, before the future ends
     */
    CompletableFuture<Void> alter(
            byte resourceType,
            String resourceName,
            boolean validateOnly,
            UnaryOperator<Map<String, String>> change,
            Consumer<RefusedException> refused) {
        try {
            if (resourceType != TOPIC) {
                throw new RefusedException(
                        ErrorCode.INVALID_REQUEST, "only configs of topics can be altered while the broker runs");
            }
            Topic topic = topics.find(resourceName);
            if (topic == null) {
                throw new RefusedException(
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + resourceName + "'");
            }
            Map<String, String> changed = change.apply(topic.settings().overrides());
            topics.defaults().withOverrides(changed);
            if (!validateOnly) {
                return admin.setConfigs(topic, changed)
                        .<Void>handle((done, failure) -> {
                            if (failure != null) {
                                refused.accept(ErrorMapper.refusal(failure));
                            }
                            return null;
                        })
                        .toCompletableFuture();
            }
        } catch (ConfigException e) {
            refused.accept(new RefusedException(ErrorCode.INVALID_CONFIG, String.valueOf(e.getMessage())));
        } catch (RefusedException e) {
            refused.accept(e);
        }
        return CompletableFuture.completedFuture(null);
    }
}
