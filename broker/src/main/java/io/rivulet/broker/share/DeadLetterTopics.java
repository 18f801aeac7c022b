package io.rivulet.broker.share;

import io.rivulet.broker.config.DeadLetterConfig;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The topic for the dead letters of a group: found or created, and checked. Who may write a source topic could write
 * any topic otherwise, so its name must begin with the broker's prefix, and its config must allow it. Immutable.
 *
 * @param partitions of a topic that is created
 */
record DeadLetterTopics(TopicCatalogue topics, TopicAdmin admin, int partitions) {
    private static final String ENABLE = TopicConfigKey.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE.key();

    /** Fails with a {@link RefusedException} if the group must not write there. */
    CompletionStage<Topic> find(DeadLetterConfig config) {
        try {
            Topic there = topics.find(config.topic());
            requireAllowed(config, there != null);
            return there != null
                    ? CompletableFuture.completedFuture(requireEnabled(there))
                    : admin.findOrCreate(creation(config.topic())).thenApply(DeadLetterTopics::requireEnabled);
        } catch (RefusedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void requireAllowed(DeadLetterConfig config, boolean exists) {
        if (!config.topic().startsWith(config.prefix())) {
            throw refusal("its name does not begin with errors.deadletterqueue.topic.name.prefix=" + config.prefix());
        }
        if (!exists && !config.createsTopic()) {
            throw refusal("it does not exist, and errors.deadletterqueue.auto.create.topics.enable is off");
        }
    }

    private static Topic requireEnabled(Topic topic) {
        if (!Boolean.parseBoolean(topic.settings().value(TopicConfigKey.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE))) {
            throw refusal("its config " + ENABLE + " is off");
        }
        return topic;
    }

    /** A letter has the time when it was written, whatever the broker's default is. */
    private NewTopic creation(String name) {
        return new NewTopic(
                name, partitions, Map.of(ENABLE, "true", TopicConfigKey.MESSAGE_TIMESTAMP_TYPE.key(), "CreateTime"));
    }

    private static RefusedException refusal(String why) {
        return new RefusedException(ErrorCode.INVALID_CONFIG, why);
    }
}
