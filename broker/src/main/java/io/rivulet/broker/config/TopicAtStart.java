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
    private static final String ALLOWED_WITH_MORE_REPLICAS = "a list of name:partitions:replicas[:cleanup policy]";
    private static final int NAME = 0;
    private static final int PARTITIONS = 1;
    private static final int REPLICATION = 2;
    private static final int POLICY = 3;

    /** @param acceptReplicas whether a replication factor above 1 is accepted */
    public static List<TopicAtStart> parse(String text, boolean acceptReplicas) {
        List<TopicAtStart> topics = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                topics.add(parseOne(text, part.strip().split(":", -1), acceptReplicas));
            }
        }
        return List.copyOf(topics);
    }

    private static TopicAtStart parseOne(String text, String[] fields, boolean acceptReplicas) {
        try {
            int partitions = number(fields, PARTITIONS);
            int replicas = number(fields, REPLICATION);
            boolean replicable = replicas == 1 || (acceptReplicas && replicas > 1);
            if (fields.length <= POLICY + 1 && partitions >= 1 && replicable) {
                Map<String, String> configs =
                        fields.length > POLICY ? Map.of(TopicConfigKey.CLEANUP_POLICY.key(), fields[POLICY]) : Map.of();
                return new TopicAtStart(fields[NAME], partitions, configs);
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new ConfigException(
                BrokerKey.CREATE_TOPICS.key(), text, acceptReplicas ? ALLOWED_WITH_MORE_REPLICAS : ALLOWED);
    }

    private static int number(String[] fields, int index) {
        return index < fields.length ? Integer.parseInt(fields[index].strip()) : 1;
    }
}
