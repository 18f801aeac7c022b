package io.rivulet.broker.config;

import java.util.List;
import java.util.Objects;

/**
 * The {@code group.share.*} keys that no group can change for itself. Immutable. {@link ShareGroupConfigs} has the
 * others.
 *
 * @param maxSize the largest number of members of a group
 * @param maxSessions the largest number of share sessions of the broker
 */
public record ShareGroupSettings(int maxSize, int maxSessions) {
    public static final ShareGroupSettings DEFAULTS = new ShareGroupSettings(200, 2000);

    /** Kafka's name of the assignor's class is accepted too. */
    static final ConfigType ASSIGNORS =
            ConfigType.list(List.of("simple"), List.of("org.apache.kafka.coordinator.group.assignor.SimpleAssignor"));

    /** Keys with a smallest and a largest value. */
    private static final List<GroupKey> BOUNDED = List.of(
            GroupKey.SHARE_SESSION_TIMEOUT_MS,
            GroupKey.SHARE_HEARTBEAT_INTERVAL_MS,
            GroupKey.SHARE_ASSIGNMENT_INTERVAL_MS,
            GroupKey.SHARE_RECORD_LOCK_DURATION_MS,
            GroupKey.SHARE_DELIVERY_COUNT_LIMIT,
            GroupKey.SHARE_PARTITION_MAX_RECORD_LOCKS);

    static ShareGroupSettings of(ConfigValues values) {
        BOUNDED.forEach(key -> requireWithinBounds(values, key));
        int session = number(values, GroupKey.SHARE_SESSION_TIMEOUT_MS.brokerKey());
        if (session <= number(values, GroupKey.SHARE_HEARTBEAT_INTERVAL_MS.brokerKey())) {
            throw new ConfigException(
                    GroupKey.SHARE_SESSION_TIMEOUT_MS.brokerKey(),
                    String.valueOf(session),
                    "more than " + GroupKey.SHARE_HEARTBEAT_INTERVAL_MS.brokerKey());
        }
        return new ShareGroupSettings(
                values.integer(BrokerKey.GROUP_SHARE_MAX_SIZE),
                values.integer(BrokerKey.GROUP_SHARE_MAX_SHARE_SESSIONS));
    }

    private static void requireWithinBounds(ConfigValues values, GroupKey key) {
        int value = number(values, key.brokerKey());
        String least = key.boundKey("min");
        String most = key.boundKey("max");
        if (value < number(values, least) || value > number(values, most)) {
            throw new ConfigException(key.brokerKey(), String.valueOf(value), "a number from " + least + " to " + most);
        }
    }

    private static int number(ConfigValues values, String name) {
        return values.integer(Objects.requireNonNull(BrokerKey.forKey(name), name));
    }
}
