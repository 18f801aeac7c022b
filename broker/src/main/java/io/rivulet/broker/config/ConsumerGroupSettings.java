package io.rivulet.broker.config;

import java.util.List;

/**
 * The {@code group.consumer.*} keys, concluded. Immutable.
 *
 * @param assignors names, of which the first is for groups whose members ask for none
 * @param upgrade whether a group of the classic protocol becomes one of the consumer protocol when a member of that joins
 * @param downgrade whether it goes back when the last such member has gone
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
}
