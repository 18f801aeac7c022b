package io.rivulet.broker.api.config;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.config.ConfigType;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sets or deletes single configs of a topic. Adds words to configs that are lists, or removes words. */
record IncrementalAlterConfigsHandler(TopicConfigChanges changes) implements Handler<IncrementalAlterConfigsRequest> {
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final byte APPEND = 2;
    private static final byte SUBTRACT = 3;

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
                    ErrorCode.INVALID_REQUEST, "config " + config.name() + " has no value, so it can only be deleted");
        }
        return switch (config.configOperation()) {
            case SET -> value;
            case APPEND -> joined(before, config, words -> words.addAll(ConfigType.words(value)));
            case SUBTRACT ->
                joined(before, config, words -> ConfigType.words(value).forEach(words::remove));
            default ->
                throw new RefusedException(
                        ErrorCode.INVALID_REQUEST, "config operation " + config.configOperation() + " is not known");
        };
    }

    /** The topic's own list, or the default list, with a change. */
    private String joined(@Nullable String before, AlterableConfig config, Consumer<Set<String>> change) {
        TopicConfigKey key = TopicConfigKey.forKey(config.name());
        if (key == null || !key.type().isList()) {
            throw new RefusedException(
                    ErrorCode.INVALID_CONFIG,
                    "config " + config.name() + " is not a list, so no words can be added or removed");
        }
        Set<String> words = new LinkedHashSet<>(ConfigType.words(
                before != null ? before : changes.topics().defaults().value(key)));
        change.accept(words);
        return String.join(",", words);
    }
}
