package io.rivulet.broker.api.config;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.config.ConfigType;
import io.rivulet.broker.dynamic.Resource;
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

/** Sets or deletes single configs of a resource. Adds words to configs that are lists, or removes words. */
record IncrementalAlterConfigsHandler(ConfigChanges changes, Loggers loggers)
        implements Handler<IncrementalAlterConfigsRequest> {
    static final byte SET = 0;
    static final byte DELETE = 1;
    private static final byte APPEND = 2;
    private static final byte SUBTRACT = 3;

    @Override
    public void handle(Call call, IncrementalAlterConfigsRequest request) {
        List<AlterConfigsResourceResponse> answers = new ArrayList<>();
        List<ConfigChanges.Change> wanted = new ArrayList<>();
        for (AlterConfigsResource resource : request.resources()) {
            AlterConfigsResourceResponse answer = new AlterConfigsResourceResponse()
                    .resourceType(resource.resourceType())
                    .resourceName(resource.resourceName());
            answers.add(answer);
            Consumer<RefusedException> refused =
                    refusal -> answer.errorCode(refusal.code().code()).errorMessage(refusal.getMessage());
            if (resource.resourceType() == Resource.BROKER_LOGGER) {
                alterLoggers(resource, request.validateOnly(), call.access(), refused);
            } else {
                wanted.add(new ConfigChanges.Change(
                        new Resource(resource.resourceType(), resource.resourceName()),
                        resource.configs().stream().map(AlterableConfig::name).toList(),
                        (kind, before) -> changed(kind, before, resource),
                        refused));
            }
        }
        changes.alter(
                wanted,
                request.validateOnly(),
                call.access(),
                () -> call.answer(new IncrementalAlterConfigsResponse().responses(answers)));
    }

    private void alterLoggers(
            AlterConfigsResource resource, boolean validateOnly, Access access, Consumer<RefusedException> refused) {
        try {
            Resource wanted = new Resource(resource.resourceType(), resource.resourceName());
            ConfigAccess.require(access, Operation.ALTER_CONFIGS, wanted);
            loggers.alter(resource.resourceName(), resource.configs(), validateOnly);
        } catch (RefusedException e) {
            refused.accept(e);
        }
    }

    private static Map<String, String> changed(
            ConfigKind kind, Map<String, String> before, AlterConfigsResource resource) {
        Map<String, String> configs = new LinkedHashMap<>(before);
        for (AlterableConfig config : resource.configs()) {
            String name = config.name();
            if (config.configOperation() == DELETE) {
                configs.remove(name);
            } else {
                configs.put(name, changed(kind, configs.get(name), config));
            }
        }
        return configs;
    }

    private static String changed(ConfigKind kind, @Nullable String before, AlterableConfig config) {
        String value = config.value();
        if (value == null) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "config " + config.name() + " has no value, so it can only be deleted");
        }
        return switch (config.configOperation()) {
            case SET -> value;
            case APPEND -> joined(kind, before, config, words -> words.addAll(ConfigType.words(value)));
            case SUBTRACT ->
                joined(kind, before, config, words -> ConfigType.words(value).forEach(words::remove));
            default ->
                throw new RefusedException(
                        ErrorCode.INVALID_REQUEST, "config operation " + config.configOperation() + " is not known");
        };
    }

    /** The resource's own list, or the default list, with a change. */
    private static String joined(
            ConfigKind kind, @Nullable String before, AlterableConfig config, Consumer<Set<String>> change) {
        if (!kind.isList(config.name())) {
            throw new RefusedException(
                    ErrorCode.INVALID_CONFIG,
                    "config " + config.name() + " is not a list, so no words can be added or removed");
        }
        Set<String> words =
                new LinkedHashSet<>(ConfigType.words(before != null ? before : kind.inherited(config.name())));
        change.accept(words);
        return String.join(",", words);
    }
}
