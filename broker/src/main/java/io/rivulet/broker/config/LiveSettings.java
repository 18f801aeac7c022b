package io.rivulet.broker.config;

import java.util.Map;

/** What follows from the keys that can change while the broker runs. Immutable. */
public record LiveSettings(
        ConfigValues values,
        TopicSettings topicDefaults,
        ConnectionSettings connections,
        long producerExpirationMillis) {
    /** The settings at a start. */
    public static LiveSettings of(BrokerConfig config) {
        return new LiveSettings(
                config.values(), config.topicDefaults(), config.connections(), config.producerExpirationMillis());
    }

    /**
     * How the connections of an encrypted listener are encrypted.
     *
     * @throws ConfigException if it has no key, or gets it in two ways
     */
    public TlsSettings tls(String listener) {
        return TlsSettings.of(values, listener);
    }

    /**
     * These settings, which are those at the start, with values that were set while the broker runs.
     *
     * @throws ConfigException if a value is not allowed
     */
    public LiveSettings with(Map<String, String> dynamic) {
        ConfigValues all = values.with(dynamic);
        return new LiveSettings(
                all,
                TopicSettings.ofBroker(all.given()),
                connections.with(all),
                all.number(BrokerKey.PRODUCER_ID_EXPIRATION_MS));
    }
}
