package io.rivulet.broker.config;

import java.util.EnumSet;
import java.util.Set;

/** Which keys of the broker can change while it runs: the defaults of topics, and a few more. Stateless. */
public final class DynamicKeys {
    private static final Set<BrokerKey> CHANGEABLE = EnumSet.of(
            BrokerKey.MAX_CONNECTIONS,
            BrokerKey.MAX_CONNECTIONS_PER_IP,
            BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES,
            BrokerKey.MAX_CONNECTION_CREATION_RATE,
            BrokerKey.PRODUCER_ID_EXPIRATION_MS,
            BrokerKey.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS);

    static {
        for (TopicConfigKey topicKey : TopicConfigKey.values()) {
            BrokerKey key = topicKey.brokerKey();
            if (key != null) {
                CHANGEABLE.add(key);
            }
        }
    }

    private DynamicKeys() {}

    public static boolean canChange(BrokerKey key) {
        return CHANGEABLE.contains(key);
    }
}
