package io.rivulet.broker.topic;

import java.util.Map;

/** A topic to create. All is checked, except that the name is free. Immutable. */
public record NewTopic(String name, int partitions, Map<String, String> configs) {}
