package io.rivulet.broker.topic;

import java.util.Map;

/** What a topic to be created shall be like, checked already but for its name being free. Immutable. */
public record NewTopic(String name, int partitions, Map<String, String> configs) {}
