package io.rivulet.broker.config;

/**
 * Limits of consumer groups. Immutable.
 *
 * @param offsetsRetentionMillis how long the offsets of an empty group are kept
 * @param expiryIntervalMillis time between two searches for expired offsets
 * @param maxHeapBytes the heap for all groups, members and offsets, estimated
 */
public record GroupSettings(
        int minSessionTimeoutMillis,
        int maxSessionTimeoutMillis,
        int initialRebalanceDelayMillis,
        int maxMembers,
        int maxOffsetTextBytes,
        long offsetsRetentionMillis,
        long expiryIntervalMillis,
        int maxGroups,
        long maxHeapBytes) {
    static GroupSettings of(ConfigValues values) {
        return new GroupSettings(
                values.integer(BrokerKey.GROUP_MIN_SESSION_TIMEOUT_MS),
                values.integer(BrokerKey.GROUP_MAX_SESSION_TIMEOUT_MS),
                values.integer(BrokerKey.GROUP_INITIAL_REBALANCE_DELAY_MS),
                values.integer(BrokerKey.GROUP_MAX_SIZE),
                values.integer(BrokerKey.OFFSET_METADATA_MAX_BYTES),
                values.number(BrokerKey.OFFSETS_RETENTION_MINUTES) * ConfigValues.MILLIS_PER_MINUTE,
                values.number(BrokerKey.OFFSETS_RETENTION_CHECK_INTERVAL_MS),
                values.integer(BrokerKey.MAX_GROUPS),
                values.number(BrokerKey.GROUPS_BYTES));
    }
}
