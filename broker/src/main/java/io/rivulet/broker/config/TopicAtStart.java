package io.rivulet.broker.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A topic that a start creates if it does not exist: {@code name:partitions:replication:policy}, where all but the name
 * are optional. Immutable.
 */
public record TopicAtStart(String name, int partitions, Map<String, String> configs) {
    private static final String ALLOWED = "a list of name:partitions:1[:cleanup policy]";
    private static final int NAME = 0;
    private static final int PARTITIONS = 1;
    private static final int REPLICATION = 2;
    private static final int POLICY = 3;

    static List<TopicAtStart> parse(String text) {
        List<TopicAtStart> topics = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                topics.add(parseOne(text, part.strip().split(":", -1)));
            }
        }
        return List.copyOf(topics);
    }

    private static TopicAtStart parseOne(String text, String[] fields) {
        try {
            int partitions = number(fields, PARTITIONS);
            if (fields.length <= POLICY + 1 && partitions >= 1 && number(fields, REPLICATION) == 1) {
                Map<String, String> configs =
                        fields.length > POLICY ? Map.of(TopicConfigKey.CLEANUP_POLICY.key(), fields[POLICY]) : Map.of();
                return new TopicAtStart(fields[NAME], partitions, configs);
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new ConfigException(BrokerKey.CREATE_TOPICS.key(), text, ALLOWED);
    }

    private static int number(String[] fields, int index) {
        return index < fields.length ? Integer.parseInt(fields[index].strip()) : 1;
    }
}
