package io.rivulet.broker.api;

import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.TopicSettings;
import java.util.Map;

/** Where a value comes from, in the numbers of DescribeConfigs. */
enum ConfigSource {
    TOPIC(1),
    STATIC_BROKER(4),
    DEFAULT(5);

    private final byte code;

    ConfigSource(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static ConfigSource of(TopicSettings settings, TopicConfigKey key) {
        return settings.overrides().containsKey(key.key()) ? TOPIC : of(settings.brokerValues(), key.brokerKey());
    }

    static ConfigSource of(Map<String, String> brokerValues, BrokerKey key) {
        return brokerValues.containsKey(key.key()) ? STATIC_BROKER : DEFAULT;
    }
}
