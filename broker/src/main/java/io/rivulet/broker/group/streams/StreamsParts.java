package io.rivulet.broker.group.streams;

import io.rivulet.broker.config.StreamsGroupSettings;

/** What streams groups get from other rooms. Immutable; its parts are thread-safe. */
public record StreamsParts(StreamsGroupSettings settings, StreamsGroupConfigs configs) {}
