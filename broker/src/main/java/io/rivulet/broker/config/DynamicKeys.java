package io.rivulet.broker.config;

import java.util.EnumSet;
import java.util.Set;

/**
 * Which keys of the broker can change while it runs: the defaults of topics, where keys and certificates of a listener
 * are, and a few more. Stateless.
 */
public final class DynamicKeys {
    private static final Set<BrokerKey> CHANGEABLE = EnumSet.of(
            BrokerKey.MAX_CONNECTIONS,
            BrokerKey.MAX_CONNECTIONS_PER_IP,
            BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES,
            BrokerKey.MAX_CONNECTION_CREATION_RATE,
            BrokerKey.PRODUCER_ID_EXPIRATION_MS,
            BrokerKey.ERRORS_DEADLETTERQUEUE_TOPIC_NAME_PREFIX,
            BrokerKey.ERRORS_DEADLETTERQUEUE_AUTO_CREATE_TOPICS_ENABLE,
            BrokerKey.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS,
            BrokerKey.GROUP_SHARE_ASSIGNMENT_INTERVAL_MS,
            BrokerKey.GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS);

    /** Of one listener. */
    private static final Set<BrokerKey> CHANGEABLE_OF_LISTENER = EnumSet.of(
            BrokerKey.MAX_CONNECTION_CREATION_RATE,
            BrokerKey.SSL_KEYSTORE_TYPE,
            BrokerKey.SSL_KEYSTORE_LOCATION,
            BrokerKey.SSL_KEYSTORE_PASSWORD,
            BrokerKey.SSL_KEY_PASSWORD,
            BrokerKey.SSL_KEYSTORE_KEY,
            BrokerKey.SSL_KEYSTORE_CERTIFICATE_CHAIN,
            BrokerKey.SSL_TRUSTSTORE_TYPE,
            BrokerKey.SSL_TRUSTSTORE_LOCATION,
            BrokerKey.SSL_TRUSTSTORE_PASSWORD,
            BrokerKey.SSL_TRUSTSTORE_CERTIFICATES);

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

    /** Whether the key can change for one listener alone. */
    public static boolean canChangeOfListener(BrokerKey key) {
        return CHANGEABLE_OF_LISTENER.contains(key);
    }

    /** Whether the key of a listener can be set for all brokers together: it names no file of one of them. */
    public static boolean canBeOfAllBrokers(BrokerKey ofListener) {
        return ofListener == BrokerKey.MAX_CONNECTION_CREATION_RATE;
    }
}
