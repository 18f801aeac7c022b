package io.rivulet.broker.api.config;

import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigReference;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.dynamic.ConfigSource;
import io.rivulet.broker.dynamic.LiveConfig;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.TopicNames;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The configs of topics. Thread-safe. */
record TopicKind(TopicCatalogue topics, TopicAdmin admin, LiveConfig live) implements ConfigKind {
    @Override
    public List<DescribeConfigsResourceResult> describe(String resource, Wanted wanted) {
        if (topics.find(resource) == null) {
            TopicNames.require(resource);
        }
        TopicSettings settings = find(resource).settings();
        List<DescribeConfigsResourceResult> configs = new ArrayList<>();
        for (TopicConfigKey key : TopicConfigKey.values()) {
            boolean hidden = key.isHidden() && !settings.overrides().containsKey(key.key());
            if (!hidden && wanted.has(key.key())) {
                configs.add(wanted.describe(
                        key.key(),
                        settings.value(key),
                        key.type(),
                        synonyms(settings, key),
                        () -> ConfigReference.documentation(key)));
            }
        }
        settings.overrides().forEach((key, value) -> {
            if (TopicConfigKey.forKey(key) == null && wanted.has(key)) {
                configs.add(unknown(key, value));
            }
        });
        return configs;
    }

    private List<DescribeConfigsSynonym> synonyms(TopicSettings settings, TopicConfigKey key) {
        List<DescribeConfigsSynonym> all = new ArrayList<>();
        String own = settings.overrides().get(key.key());
        if (own != null) {
            all.add(Wanted.synonym(key.key(), own, ConfigSource.TOPIC));
        }
        BrokerKey brokerKey = key.brokerKey();
        if (brokerKey == null) {
            all.add(Wanted.synonym(key.key(), key.defaultValue(), ConfigSource.DEFAULT));
        } else {
            all.addAll(Wanted.synonyms(brokerKey.key(), live.layers(brokerKey.key())));
        }
        return all;
    }

    /** A config that an older version accepted. It is kept, and can be deleted. */
    private static DescribeConfigsResourceResult unknown(String key, String value) {
        return new DescribeConfigsResourceResult()
                .name(key)
                .value(value)
                .configSource(ConfigSource.TOPIC.code())
                .synonyms(List.of())
                .documentation(null);
    }

    private Topic find(String name) {
        Topic topic = topics.find(name);
        if (topic == null) {
            throw new RefusedException(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + name + "'");
        }
        return topic;
    }

    @Override
    public Map<String, String> present(String resource) {
        Topic topic = topics.find(resource);
        return topic == null ? Map.of() : topic.settings().overrides();
    }

    @Override
    public boolean isList(String key) {
        TopicConfigKey known = TopicConfigKey.forKey(key);
        return known != null && known.type().isList();
    }

    @Override
    public String inherited(String key) {
        TopicConfigKey known = TopicConfigKey.forKey(key);
        return known == null ? "" : topics.defaults().value(known);
    }

    @Override
    public void check(String resource, Map<String, String> configs) {
        if (resource.isEmpty()) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST,
                    "the name of a topic is missing; the defaults of topics are the broker's");
        }
        if (topics.find(resource) == null) {
            TopicNames.require(resource);
        }
        topics.defaults().withOverrides(configs);
        find(resource).requireOfClients(ErrorCode.INVALID_REQUEST);
    }

    @Override
    public CompletionStage<?> change(
            String resource, Map<String, @Nullable String> changes, Map<String, String> configs) {
        return admin.setConfigs(find(resource), configs);
    }
}
