package io.rivulet.broker.api.config;

import io.rivulet.broker.config.ClientMetricsKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.dynamic.ConfigSource;
import io.rivulet.broker.dynamic.LiveConfig;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import io.rivulet.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions to metrics of clients. They are kept and described. As in Kafka without a plugin for telemetry, no
 * client is asked for metrics. Thread-safe.
 */
record ClientMetricsKind(LiveConfig live, Store store) implements ConfigKind {
    private static Resource resource(String name) {
        return new Resource(Resource.CLIENT_METRICS, name);
    }

    private static void requireName(String name) {
        if (name.isEmpty()) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "the name of a subscription to metrics is missing");
        }
    }

    @Override
    public List<DescribeConfigsResourceResult> describe(String resource, Wanted wanted) {
        requireName(resource);
        Map<String, String> own = present(resource);
        List<DescribeConfigsResourceResult> configs = new ArrayList<>();
        for (ClientMetricsKey key : ClientMetricsKey.values()) {
            String value = own.get(key.key());
            List<DescribeConfigsSynonym> all =
                    value == null ? List.of() : List.of(Wanted.synonym(key.key(), value, ConfigSource.CLIENT_METRICS));
            if (wanted.has(key.key())) {
                configs.add(wanted.describe(
                        key.key(), value == null ? key.defaultValue() : value, key.type(), all, key::text));
            }
        }
        return configs;
    }

    @Override
    public Map<String, String> present(String resource) {
        return live.resources().of(resource(resource));
    }

    @Override
    public boolean isList(String key) {
        ClientMetricsKey known = ClientMetricsKey.forKey(key);
        return known != null && known.type().isList();
    }

    @Override
    public String inherited(String key) {
        ClientMetricsKey known = ClientMetricsKey.forKey(key);
        return known == null ? "" : known.defaultValue();
    }

    @Override
    public void check(String resource, Map<String, String> configs) {
        requireName(resource);
        configs.forEach((name, value) -> {
            ClientMetricsKey key = ClientMetricsKey.forKey(name);
            if (key == null) {
                throw new ConfigException(name, value, "no value: subscriptions to metrics have no such config");
            }
            key.type().check(name, value);
        });
    }

    @Override
    public CompletionStage<?> change(
            String resource, Map<String, @Nullable String> changes, Map<String, String> configs) {
        return live.resources().change(store, resource(resource), changes);
    }
}
