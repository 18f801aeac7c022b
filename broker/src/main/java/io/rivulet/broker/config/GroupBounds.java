package io.rivulet.broker.config;

import java.util.List;

/** Checks that values of the broker are within the bounds that groups have too. Stateless. */
final class GroupBounds {
    private GroupBounds() {}

    /** @throws ConfigException if a value is below its smallest or above its largest value */
    static void check(ConfigValues values, List<GroupKey> bounded) {
        for (GroupKey key : bounded) {
            BrokerKey least = BrokerKey.forKey(key.boundKey("min"));
            BrokerKey most = BrokerKey.forKey(key.boundKey("max"));
            int value = number(values, key);
            boolean isTooSmall = least != null && value < values.integer(least);
            boolean isTooLarge = most != null && value > values.integer(most);
            if (isTooSmall || isTooLarge) {
                String from = least == null ? "0" : least.key();
                throw new ConfigException(
                        key.brokerKey(), String.valueOf(value), "a number from " + from + " to " + key.boundKey("max"));
            }
        }
    }

    /** @throws ConfigException if the first is not more than the second */
    static void requireLonger(ConfigValues values, GroupKey longer, GroupKey shorter) {
        int value = number(values, longer);
        if (value <= number(values, shorter)) {
            throw new ConfigException(longer.brokerKey(), String.valueOf(value), "more than " + shorter.brokerKey());
        }
    }

    private static int number(ConfigValues values, GroupKey key) {
        BrokerKey brokerKey = BrokerKey.forKey(key.brokerKey());
        if (brokerKey == null) {
            throw new IllegalStateException("no key of the broker: " + key.brokerKey());
        }
        return values.integer(brokerKey);
    }
}
