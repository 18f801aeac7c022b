package io.rivulet.broker.api.config;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes the configs of topics and of the broker, each with the source of its value. */
record DescribeConfigsHandler(ApiParts parts) implements Handler<DescribeConfigsRequest> {
    private static final byte TOPIC = 2;
    private static final byte BROKER = 4;

    /** Describes each resource once, and only when it is encoded, so few descriptions exist at the same time. */
    @Override
    public void handle(Call call, DescribeConfigsRequest request) {
        Map<String, DescribeConfigsResource> resources = new LinkedHashMap<>();
        for (DescribeConfigsResource resource : request.resources()) {
            resources.putIfAbsent(resource.resourceType() + ":" + resource.resourceName(), resource);
        }
        List<DescribeConfigsResource> all = List.copyOf(resources.values());
        parts.longAnswers()
                .answer(
                        call,
                        new DescribeConfigsResponse()
                                .results(new LazyList<>(
                                        all.size(), i -> describe(all.get(i), request.includeSynonyms()))),
                        (long) all.size() * TopicConfigKey.values().length);
    }

    private DescribeConfigsResult describe(DescribeConfigsResource resource, boolean synonyms) {
        DescribeConfigsResult result = new DescribeConfigsResult()
                .resourceType(resource.resourceType())
                .resourceName(resource.resourceName());
        if (resource.resourceType() == TOPIC) {
            Topic topic = parts.topics().find(resource.resourceName());
            if (topic == null) {
                return refuse(result, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no such topic");
            }
            return result.configs(ofTopic(topic.settings(), wanted(resource), synonyms));
        }
        if (resource.resourceType() != BROKER) {
            return refuse(result, ErrorCode.INVALID_REQUEST, "topics and brokers have configs here");
        }
        if (!resource.resourceName().equals(String.valueOf(parts.nodeId()))) {
            return refuse(result, ErrorCode.INVALID_REQUEST, "this is broker " + parts.nodeId());
        }
        return result.configs(ofBroker(wanted(resource), synonyms));
    }

    /** The requested keys; null for all. */
    private static @Nullable Set<String> wanted(DescribeConfigsResource resource) {
        List<String> keys = resource.configurationKeys();
        return keys == null ? null : new HashSet<>(keys);
    }

    private static DescribeConfigsResult refuse(DescribeConfigsResult result, ErrorCode error, String message) {
        return result.errorCode(error.code()).errorMessage(message);
    }

    private static List<DescribeConfigsResourceResult> ofTopic(
            TopicSettings settings, @Nullable Set<String> wanted, boolean synonyms) {
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
        settings.overrides().forEach((key, value) -> {
            if (TopicConfigKey.forKey(key) == null && (wanted == null || wanted.contains(key))) {
                configs.add(unknown(key, value));
            }
        });
        return configs;
    }

    /** A config that an older version accepted. It is kept, and can be deleted. */
    private static DescribeConfigsResourceResult unknown(String key, String value) {
        return new DescribeConfigsResourceResult()
                .name(key)
                .value(value)
                .configSource(ConfigSource.TOPIC.code())
                .synonyms(List.of());
    }

    private List<DescribeConfigsResourceResult> ofBroker(@Nullable Set<String> wanted, boolean synonyms) {
        List<DescribeConfigsResourceResult> configs = new ArrayList<>();
        for (BrokerKey key : BrokerKey.values()) {
            if (wanted == null || wanted.contains(key.key())) {
                String given = parts.config().values().given().get(key.key());
                configs.add(new DescribeConfigsResourceResult()
                        .name(key.key())
                        .value(parts.config().values().text(key))
                        .readOnly(true)
                        .configSource(ConfigSource.of(parts.config().values().given(), key)
                                .code())
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
