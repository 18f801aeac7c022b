package io.rivulet.broker.config;

import java.util.List;

/**
 * The {@code group.consumer.*} keys. Immutable.
 *
 * @param assignors names; the first is used if members choose none
 * @param upgrade whether a classic group becomes a consumer group when a member with the consumer protocol joins
 * @param downgrade whether it becomes a classic group again when the last such member has left
 */
public record ConsumerGroupSettings(
        int heartbeatIntervalMillis,
        int sessionTimeoutMillis,
        int maxSize,
        List<String> assignors,
        boolean upgrade,
        boolean downgrade) {
    public static final ConsumerGroupSettings KAFKA_DEFAULTS =
            new ConsumerGroupSettings(5_000, 45_000, Integer.MAX_VALUE, List.of("uniform", "range"), true, true);

    static ConsumerGroupSettings of(ConfigValues values) {
        String migration = values.text(BrokerKey.GROUP_CONSUMER_MIGRATION_POLICY);
        boolean both = migration.equals("bidirectional");
        return new ConsumerGroupSettings(
                values.integer(BrokerKey.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS),
                values.integer(BrokerKey.GROUP_CONSUMER_SESSION_TIMEOUT_MS),
                values.integer(BrokerKey.GROUP_CONSUMER_MAX_SIZE),
                List.of(values.text(BrokerKey.GROUP_CONSUMER_ASSIGNORS).split(",", -1)),
                both || migration.equals("upgrade"),
                both || migration.equals("downgrade"));
    }
}
