package io.rivulet.broker.api.config;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.config.ConfigType.Words;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse.AlterConfigsResourceResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sets or deletes single configs of a topic, and adds words to those that are lists, or takes some out. */
final class IncrementalAlterConfigsHandler implements Handler<IncrementalAlterConfigsRequest> {
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final byte APPEND = 2;
    private static final byte SUBTRACT = 3;

    private final TopicCatalogue topics;
    private final TopicConfigChanges changes;

    IncrementalAlterConfigsHandler(TopicCatalogue topics, TopicAdmin admin) {
        this.topics = topics;
        this.changes = new TopicConfigChanges(topics, admin);
    }

    @Override
    public void handle(Call call, IncrementalAlterConfigsRequest request) {
        List<AlterConfigsResourceResponse> answers = new ArrayList<>();
        List<TopicConfigChanges.Change> wanted = new ArrayList<>();
        for (AlterConfigsResource resource : request.resources()) {
            AlterConfigsResourceResponse answer = new AlterConfigsResourceResponse()
                    .resourceType(resource.resourceType())
                    .resourceName(resource.resourceName());
            answers.add(answer);
            wanted.add(new TopicConfigChanges.Change(
                    resource.resourceType(),
                    resource.resourceName(),
                    before -> changed(before, resource),
                    refusal -> answer.errorCode(refusal.code().code()).errorMessage(refusal.getMessage())));
        }
        changes.alter(
                wanted,
                request.validateOnly(),
                () -> call.answer(new IncrementalAlterConfigsResponse().responses(answers)));
    }

    private Map<String, String> changed(Map<String, String> before, AlterConfigsResource resource) {
        Map<String, String> configs = new LinkedHashMap<>(before);
        for (AlterableConfig config : resource.configs()) {
            String name = config.name();
            if (config.configOperation() == DELETE) {
                configs.remove(name);
            } else {
                configs.put(name, changed(configs.get(name), config));
            }
        }
        return configs;
    }

    private String changed(@Nullable String before, AlterableConfig config) {
        String value = config.value();
        if (value == null) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "config " + config.name() + " lacks a value: it could only be deleted");
        }
        return switch (config.configOperation()) {
            case SET -> value;
            case APPEND -> {
                Set<String> words = words(before, config);
                words.addAll(Words.split(value));
                yield String.join(",", words);
            }
            case SUBTRACT -> {
                Set<String> words = words(before, config);
                Words.split(value).forEach(words::remove);
                yield String.join(",", words);
            }
            default ->
                throw new RefusedException(
                        ErrorCode.INVALID_REQUEST, "config operation " + config.configOperation() + " is not known");
        };
    }

    /** Of the topic's own list, or of what holds for all that have none. */
    private Set<String> words(@Nullable String before, AlterableConfig config) {
        TopicConfigKey key = TopicConfigKey.forKey(config.name());
        if (key == null || !(key.type() instanceof Words)) {
            throw new RefusedException(
                    ErrorCode.INVALID_CONFIG,
                    "config " + config.name() + " is no list that words could be added to or taken from");
        }
        return new LinkedHashSet<>(
                Words.split(before != null ? before : topics.defaults().value(key)));
    }
}
