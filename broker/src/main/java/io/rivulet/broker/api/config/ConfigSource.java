package io.rivulet.broker.api.config;

import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.TopicSettings;
import java.util.Map;

/** The source of a value, with its number in DescribeConfigs. */
public enum ConfigSource {
    TOPIC(1),
    STATIC_BROKER(4),
    DEFAULT(5);

    private final byte code;

    ConfigSource(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    public static ConfigSource of(TopicSettings settings, TopicConfigKey key) {
        return settings.overrides().containsKey(key.key()) ? TOPIC : of(settings.brokerValues(), key.brokerKey());
    }

    static ConfigSource of(Map<String, String> brokerValues, BrokerKey key) {
        return brokerValues.containsKey(key.key()) ? STATIC_BROKER : DEFAULT;
    }
}
