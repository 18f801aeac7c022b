package io.rivulet.broker.config;

import java.util.List;

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
        GroupBounds.check(values, BOUNDED);
        GroupBounds.requireLonger(values, GroupKey.SHARE_SESSION_TIMEOUT_MS, GroupKey.SHARE_HEARTBEAT_INTERVAL_MS);
        return new ShareGroupSettings(
                values.integer(BrokerKey.GROUP_SHARE_MAX_SIZE),
                values.integer(BrokerKey.GROUP_SHARE_MAX_SHARE_SESSIONS));
    }
}
