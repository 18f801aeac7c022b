package io.rivulet.broker.api.config;

import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.ConfigReference;
import io.rivulet.broker.config.GroupKey;
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

/** The configs of groups. A group need not exist to have some. Thread-safe. */
record GroupKind(LiveConfig live, Store store) implements ConfigKind {
    private static Resource resource(String name) {
        return new Resource(Resource.GROUP, name);
    }

    private static void requireName(String name) {
        if (name.isEmpty()) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "the id of a group is missing; the defaults of groups are the broker's");
        }
    }

    @Override
    public List<DescribeConfigsResourceResult> describe(String resource, Wanted wanted) {
        requireName(resource);
        Map<String, String> own = present(resource);
        List<DescribeConfigsResourceResult> configs = new ArrayList<>();
        for (GroupKey key : GroupKey.values()) {
            if (wanted.has(key.key())) {
                configs.add(wanted.describe(
                        key.key(), value(own, key), key.type(), synonyms(own, key), () -> documentation(key)));
            }
        }
        return configs;
    }

    private List<DescribeConfigsSynonym> synonyms(Map<String, String> own, GroupKey key) {
        List<DescribeConfigsSynonym> all = new ArrayList<>();
        String value = own.get(key.key());
        if (value != null) {
            all.add(Wanted.synonym(key.key(), value, ConfigSource.GROUP));
        }
        String ownDefault = key.ownDefault();
        if (ownDefault == null) {
            all.addAll(Wanted.synonyms(key.brokerKey(), live.layers(key.brokerKey())));
        } else {
            all.add(Wanted.synonym(key.key(), ownDefault, ConfigSource.DEFAULT));
        }
        return all;
    }

    private static String documentation(GroupKey key) {
        BrokerKey brokerKey = BrokerKey.forKey(key.brokerKey());
        String ownText = key.ownText();
        if (ownText != null) {
            return ownText;
        }
        return brokerKey == null
                ? "A key of groups of Kafka that has no effect here."
                : ConfigReference.documentation(brokerKey);
    }

    @Override
    public Map<String, String> present(String resource) {
        return live.resources().of(resource(resource));
    }

    @Override
    public boolean isList(String key) {
        return false;
    }

    @Override
    public String inherited(String key) {
        GroupKey known = GroupKey.forKey(key);
        return known == null ? "" : value(Map.of(), known);
    }

    private String value(Map<String, String> own, GroupKey key) {
        String ownDefault = key.ownDefault();
        String value = own.get(key.key());
        return value != null ? value : ownDefault != null ? ownDefault : live.text(key.brokerKey());
    }

    @Override
    public void check(String resource, Map<String, String> configs) {
        requireName(resource);
        configs.forEach((name, value) -> {
            GroupKey key = GroupKey.forKey(name);
            if (key == null) {
                throw new ConfigException(name, value, "no value: groups have no such config");
            }
            key.type().check(name, value);
            if (key.isBounded()) {
                requireWithinBounds(key, value);
            }
        });
        requireLonger(configs, GroupKey.CONSUMER_SESSION_TIMEOUT_MS, GroupKey.CONSUMER_HEARTBEAT_INTERVAL_MS);
        requireLonger(configs, GroupKey.SHARE_SESSION_TIMEOUT_MS, GroupKey.SHARE_HEARTBEAT_INTERVAL_MS);
        requireLonger(configs, GroupKey.STREAMS_SESSION_TIMEOUT_MS, GroupKey.STREAMS_HEARTBEAT_INTERVAL_MS);
    }

    private void requireWithinBounds(GroupKey key, String value) {
        int number = Integer.parseInt(value.strip());
        if (number < live.least(key)) {
            throw notAllowed(key, "must be greater than or equal to " + key.boundKey("min"));
        }
        if (number > live.most(key)) {
            throw notAllowed(key, "must be less than or equal to " + key.boundKey("max"));
        }
    }

    private void requireLonger(Map<String, String> configs, GroupKey longer, GroupKey shorter) {
        if (number(configs, longer) <= number(configs, shorter)) {
            throw notAllowed(longer, "must be greater than " + shorter.key());
        }
    }

    private int number(Map<String, String> configs, GroupKey key) {
        String own = configs.get(key.key());
        return own == null ? live.ofGroup("", key) : Integer.parseInt(own.strip());
    }

    private static RefusedException notAllowed(GroupKey key, String problem) {
        return new RefusedException(ErrorCode.INVALID_CONFIG, key.key() + " " + problem);
    }

    @Override
    public CompletionStage<?> change(
            String resource, Map<String, @Nullable String> changes, Map<String, String> configs) {
        return live.resources().change(store, resource(resource), changes);
    }
}
