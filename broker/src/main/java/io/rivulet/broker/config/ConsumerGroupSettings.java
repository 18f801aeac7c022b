package io.rivulet.broker.config;

import java.util.List;
import java.util.Locale;

/**
 * The {@code group.consumer.*} keys. Immutable.
 *
 * @param assignmentIntervalMillis the least time from one assignment of a group to the next
 * @param assignors names; the first is used if members choose none
 * @param enabled whether the consumer protocol is served
 * @param upgrade whether a classic group becomes a consumer group when a member with the consumer protocol joins
 * @param downgrade whether it becomes a classic group again when the last such member has left
 */
public record ConsumerGroupSettings(
        int heartbeatIntervalMillis,
        int sessionTimeoutMillis,
        int assignmentIntervalMillis,
        int maxSize,
        List<String> assignors,
        boolean enabled,
        boolean upgrade,
        boolean downgrade) {
    public static final ConsumerGroupSettings DEFAULTS = new ConsumerGroupSettings(
            5_000, 45_000, 0, Integer.MAX_VALUE, List.of("uniform", "range"), true, true, true);

    /** Kafka's names of the assignors' classes begin and end with this. */
    private static final String CLASSES = "org.apache.kafka.coordinator.group.assignor.";

    private static final String CLASS_ENDING = "Assignor";

    static final ConfigType ASSIGNORS = ConfigType.list(
            List.of("uniform", "range"), List.of(CLASSES + "Uniform" + CLASS_ENDING, CLASSES + "Range" + CLASS_ENDING));

    static ConsumerGroupSettings of(ConfigValues values) {
        String migration = values.text(BrokerKey.GROUP_CONSUMER_MIGRATION_POLICY);
        boolean both = migration.equals("bidirectional");
        List<String> protocols = ConfigType.words(values.text(BrokerKey.GROUP_COORDINATOR_REBALANCE_PROTOCOLS));
        if (!protocols.contains("classic")) {
            throw new ConfigException(
                    BrokerKey.GROUP_COORDINATOR_REBALANCE_PROTOCOLS.key(),
                    String.join(",", protocols),
                    "a list with classic, because that protocol can't be disabled");
        }
        return new ConsumerGroupSettings(
                values.integer(BrokerKey.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS),
                values.integer(BrokerKey.GROUP_CONSUMER_SESSION_TIMEOUT_MS),
                values.integer(BrokerKey.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS),
                values.integer(BrokerKey.GROUP_CONSUMER_MAX_SIZE),
                ConfigType.words(values.text(BrokerKey.GROUP_CONSUMER_ASSIGNORS)).stream()
                        .map(ConsumerGroupSettings::assignorName)
                        .distinct()
                        .toList(),
                protocols.contains("consumer"),
                both || migration.equals("upgrade"),
                both || migration.equals("downgrade"));
    }

    private static String assignorName(String nameOrClass) {
        return nameOrClass.startsWith(CLASSES)
                ? nameOrClass
                        .substring(CLASSES.length(), nameOrClass.length() - CLASS_ENDING.length())
                        .toLowerCase(Locale.ROOT)
                : nameOrClass;
    }
}
