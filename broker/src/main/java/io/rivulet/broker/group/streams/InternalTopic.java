package io.rivulet.broker.group.streams;

import java.util.Map;

/**
 * A topic that the broker creates for an application. Immutable.
 *
 * @param partitions 0 if the broker chooses
 * @param replicationFactor 0 for the default
 */
public record InternalTopic(String name, int partitions, short replicationFactor, Map<String, String> configs) {}
