package io.rivulet.broker.config;

import java.util.List;

/**
 * The {@code group.streams.*} keys. Immutable.
 *
 * @param assignmentIntervalMillis the least time from one assignment of a group to the next
 * @param initialRebalanceDelayMillis how long the first member of a group waits for others
 * @param standbyReplicas copies of each state beside the one of the active task
 * @param enabled whether the streams protocol is served
 */
public record StreamsGroupSettings(
        int heartbeatIntervalMillis,
        int sessionTimeoutMillis,
        int assignmentIntervalMillis,
        int initialRebalanceDelayMillis,
        int standbyReplicas,
        int maxSize,
        boolean enabled) {
    public static final StreamsGroupSettings DEFAULTS =
            new StreamsGroupSettings(5_000, 45_000, 0, 3_000, 0, Integer.MAX_VALUE, true);

    /** Keys with a smallest or a largest value. */
    private static final List<GroupKey> BOUNDED = List.of(
            GroupKey.STREAMS_SESSION_TIMEOUT_MS,
            GroupKey.STREAMS_HEARTBEAT_INTERVAL_MS,
            GroupKey.STREAMS_ASSIGNMENT_INTERVAL_MS,
            GroupKey.STREAMS_NUM_STANDBY_REPLICAS);

    static StreamsGroupSettings of(ConfigValues values) {
        GroupBounds.check(values, BOUNDED);
        GroupBounds.requireLonger(values, GroupKey.STREAMS_SESSION_TIMEOUT_MS, GroupKey.STREAMS_HEARTBEAT_INTERVAL_MS);
        return new StreamsGroupSettings(
                values.integer(BrokerKey.GROUP_STREAMS_HEARTBEAT_INTERVAL_MS),
                values.integer(BrokerKey.GROUP_STREAMS_SESSION_TIMEOUT_MS),
                values.integer(BrokerKey.GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS),
                values.integer(BrokerKey.GROUP_STREAMS_INITIAL_REBALANCE_DELAY_MS),
                values.integer(BrokerKey.GROUP_STREAMS_NUM_STANDBY_REPLICAS),
                values.integer(BrokerKey.GROUP_STREAMS_MAX_SIZE),
                ConfigType.words(values.text(BrokerKey.GROUP_COORDINATOR_REBALANCE_PROTOCOLS))
                        .contains("streams"));
    }
}
