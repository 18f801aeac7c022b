package io.rivulet.broker.api.config;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.AlterConfigsRequest;
import io.rivulet.protocol.message.AlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.AlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.AlterConfigsResponse;
import io.rivulet.protocol.message.AlterConfigsResponse.AlterConfigsResourceResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Replaces all configs of a resource by those in the request. */
record AlterConfigsHandler(ConfigChanges changes) implements Handler<AlterConfigsRequest> {
    @Override
    public void handle(Call call, AlterConfigsRequest request) {
        List<AlterConfigsResourceResponse> answers = new ArrayList<>();
        List<ConfigChanges.Change> wanted = new ArrayList<>();
        for (AlterConfigsResource resource : request.resources()) {
            AlterConfigsResourceResponse answer = new AlterConfigsResourceResponse()
                    .resourceType(resource.resourceType())
                    .resourceName(resource.resourceName());
            answers.add(answer);
            wanted.add(new ConfigChanges.Change(
                    new Resource(resource.resourceType(), resource.resourceName()),
                    resource.configs().stream().map(AlterableConfig::name).toList(),
                    (kind, before) -> configs(resource),
                    refusal -> answer.errorCode(refusal.code().code()).errorMessage(refusal.getMessage())));
        }
        changes.alter(
                wanted,
                request.validateOnly(),
                call.access(),
                () -> call.answer(new AlterConfigsResponse().responses(answers)));
    }

    private static Map<String, String> configs(AlterConfigsResource resource) {
        Map<String, String> configs = new LinkedHashMap<>();
        for (AlterableConfig config : resource.configs()) {
            String value = config.value();
            if (value == null) {
                throw new RefusedException(ErrorCode.INVALID_REQUEST, "config " + config.name() + " has no value");
            }
            configs.put(config.name(), value);
        }
        return configs;
    }
}
