package io.rivulet.broker.group.share;

import io.rivulet.broker.config.ShareGroupConfigs;
import io.rivulet.broker.config.ShareGroupSettings;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.consumer.AssignmentTurns;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.function.Consumer;

/**
 * The environment of a share group, beyond {@link GroupContext}. Immutable.
 *
 * @param thread runs a task on the coordinator thread, now or later; any thread
 */
public record ShareContext(
        GroupContext group, ShareParts parts, TopicCatalogue topics, AssignmentTurns turns, Consumer<Runnable> thread) {
    ShareGroupSettings settings() {
        return parts.settings();
    }

    ShareGroupConfigs configs() {
        return parts.configs();
    }

    public ShareStates states() {
        return parts.states();
    }

    public KnownShareGroups known() {
        return parts.known();
    }
}
