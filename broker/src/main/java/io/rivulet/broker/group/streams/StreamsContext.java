package io.rivulet.broker.group.streams;

import io.rivulet.broker.config.StreamsGroupSettings;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.topic.TopicCatalogue;

/** The environment of a group of the streams protocol, beyond {@link GroupContext}. Immutable. */
public record StreamsContext(
        GroupContext group, StreamsGroupSettings settings, StreamsGroupConfigs configs, TopicCatalogue topics) {}
