package io.rivulet.broker.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Every config of Kafka's brokers, topics and groups, and what it does here: the tables of docs/COMPATIBILITY.md and
 * {@code rivulet config --compatibility}. Stateless.
 */
public final class ConfigCompatibility {
    /** What a key does. */
    public enum Status {
        ACTS("acts"),
        NO_EFFECT("accepted without effect"),
        REFUSED("refused, except for Kafka's default");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    private ConfigCompatibility() {}

    /** The status of each key of Kafka's broker, in order. */
    public static Map<String, Status> brokerKeys() {
        Map<String, Status> keys = new TreeMap<>();
        for (KafkaKey key : KafkaKey.all()) {
            keys.put(key.key(), status(key.key()));
        }
        return keys;
    }

    private static Status status(String name) {
        if (UnservedKeys.decides(name)) {
            return Status.REFUSED;
        }
        BrokerKey key = ConfigValues.find(name);
        return key == null || !ConfigReference.hasEffect(key) ? Status.NO_EFFECT : Status.ACTS;
    }

    /** The status of each key of a topic, in order. */
    public static Map<String, Status> topicKeys() {
        Map<String, Status> keys = new TreeMap<>();
        for (TopicConfigKey key : TopicConfigKey.values()) {
            BrokerKey brokerKey = key.brokerKey();
            keys.put(key.key(), brokerKey == null ? status(key) : status(brokerKey.key()));
        }
        return keys;
    }

    /** Of a key that the broker does not have. */
    private static Status status(TopicConfigKey key) {
        return switch (key) {
            case ERRORS_DEADLETTERQUEUE_GROUP_ENABLE -> Status.ACTS;
            case REMOTE_STORAGE_ENABLE -> Status.REFUSED;
            default -> Status.NO_EFFECT;
        };
    }

    /** The status of each key of a group, in order. */
    public static Map<String, Status> groupKeys() {
        Map<String, Status> keys = new TreeMap<>();
        for (GroupKey key : GroupKey.values()) {
            keys.put(key.key(), key.ownText() == null ? status(key.brokerKey()) : Status.ACTS);
        }
        return keys;
    }

    /** All tables, as Markdown. */
    public static String tables() {
        List<String> lines = new ArrayList<>();
        lines.addAll(table("Broker", brokerKeys()));
        lines.addAll(table("Topic", topicKeys()));
        lines.addAll(table("Group", groupKeys()));
        return String.join("\n", lines) + "\n";
    }

    private static List<String> table(String name, Map<String, Status> keys) {
        Stream<String> rows = keys.entrySet().stream()
                .map(key -> "| `" + key.getKey() + "` | "
                        + (canChange(name, key.getKey())
                                ? key.getValue().text() + "; can change"
                                : key.getValue().text())
                        + " |");
        return Stream.concat(Stream.of("", "| " + name + " config | here |", "|---|---|"), rows)
                .toList();
    }

    /** Configs of topics and groups can always change. */
    private static boolean canChange(String table, String key) {
        BrokerKey brokerKey = BrokerKey.forKey(key);
        return table.equals("Broker")
                && brokerKey != null
                && (DynamicKeys.canChange(brokerKey) || DynamicKeys.canChangeOfListener(brokerKey));
    }
}
