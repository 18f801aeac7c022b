package io.rivulet.broker.group.streams;

import io.rivulet.broker.config.StreamsGroupSettings;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.consumer.AssignmentTurns;
import io.rivulet.broker.topic.TopicCatalogue;

/**
 * The environment of a group of the streams protocol, beyond {@link GroupContext}. Immutable.
 *
 * @param turns of groups of all kinds whose assignments take long
 */
public record StreamsContext(
        GroupContext group,
        StreamsGroupSettings settings,
        StreamsGroupConfigs configs,
        TopicCatalogue topics,
        AssignmentTurns turns) {}
