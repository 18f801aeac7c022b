package io.rivulet.broker.api;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the configs of topics and of the broker: those that this broker knows, each with where its value comes from. */
public final class DescribeConfigsHandler {
    private static final byte TOPIC = 2;
    private static final byte BROKER = 4;

    private final BrokerIdentity identity;
    private final BrokerConfig config;
    private final TopicCatalogue topics;

    public DescribeConfigsHandler(BrokerIdentity identity, BrokerConfig config, TopicCatalogue topics) {
        this.identity = identity;
        this.config = config;
        this.topics = topics;
    }

    void handle(Call call, DescribeConfigsRequest request) {
        List<DescribeConfigsResult> results = new ArrayList<>();
        for (DescribeConfigsResource resource : request.resources()) {
            DescribeConfigsResult result = new DescribeConfigsResult()
                    .resourceType(resource.resourceType())
                    .resourceName(resource.resourceName());
            results.add(result);
            describe(resource, request.includeSynonyms(), result);
        }
        call.answer(new DescribeConfigsResponse().results(results));
    }

    private void describe(DescribeConfigsResource resource, boolean synonyms, DescribeConfigsResult result) {
        if (resource.resourceType() == TOPIC) {
            Topic topic = topics.find(resource.resourceName());
            if (topic == null) {
                refuse(result, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no such topic");
            } else {
                result.configs(ofTopic(topic.settings(), resource.configurationKeys(), synonyms));
            }
        } else if (resource.resourceType() == BROKER) {
            if (!resource.resourceName().equals(String.valueOf(identity.nodeId()))) {
                refuse(result, ErrorCode.INVALID_REQUEST, "this is broker " + identity.nodeId());
            } else {
                result.configs(ofBroker(resource.configurationKeys(), synonyms));
            }
        } else {
            refuse(result, ErrorCode.INVALID_REQUEST, "topics and brokers have configs here");
        }
    }

    private static void refuse(DescribeConfigsResult result, ErrorCode error, String message) {
        result.errorCode(error.code()).errorMessage(message);
    }

    private static List<DescribeConfigsResourceResult> ofTopic(
            TopicSettings settings, @Nullable List<String> wanted, boolean synonyms) {
        List<DescribeConfigsResourceResult> configs = new ArrayList<>();
        for (TopicConfigKey key : TopicConfigKey.values()) {
            if (wanted == null || wanted.contains(key.key())) {
                String own = settings.overrides().get(key.key());
                List<DescribeConfigsSynonym> all = new ArrayList<>();
                if (own != null) {
                    all.add(synonym(key.key(), own, ConfigSource.TOPIC));
                }
                all.addAll(brokerSynonyms(
                        settings.brokerValues().get(key.brokerKey().key()), key.brokerKey()));
                configs.add(new DescribeConfigsResourceResult()
                        .name(key.key())
                        .value(settings.value(key))
                        .configSource(ConfigSource.of(settings, key).code())
                        .configType(key.type().wireType())
                        .synonyms(synonyms ? all : List.of()));
            }
        }
        return configs;
    }

    private List<DescribeConfigsResourceResult> ofBroker(@Nullable List<String> wanted, boolean synonyms) {
        List<DescribeConfigsResourceResult> configs = new ArrayList<>();
        for (BrokerKey key : BrokerKey.values()) {
            if (wanted == null || wanted.contains(key.key())) {
                String given = config.values().get(key.key());
                configs.add(new DescribeConfigsResourceResult()
                        .name(key.key())
                        .value(config.value(key))
                        .readOnly(true)
                        .configSource(ConfigSource.of(config.values(), key).code())
                        .configType(key.type().wireType())
                        .synonyms(synonyms ? brokerSynonyms(given, key) : List.of()));
            }
        }
        return configs;
    }

    private static List<DescribeConfigsSynonym> brokerSynonyms(@Nullable String given, BrokerKey key) {
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>(2);
        if (given != null) {
            synonyms.add(synonym(key.key(), given, ConfigSource.STATIC_BROKER));
        }
        synonyms.add(synonym(key.key(), key.defaultValue(), ConfigSource.DEFAULT));
        return synonyms;
    }

    private static DescribeConfigsSynonym synonym(String name, String value, ConfigSource source) {
        return new DescribeConfigsSynonym().name(name).value(value).source(source.code());
    }
}
