package io.rivulet.broker.api;

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
import java.util.List;
import java.util.Map;

/** Sets or deletes single configs of a topic. None of those that there are is a list, so none can be appended to. */
public final class IncrementalAlterConfigsHandler {
    private static final byte SET = 0;
    private static final byte DELETE = 1;

    private final TopicConfigChanges changes;

    public IncrementalAlterConfigsHandler(TopicCatalogue topics, TopicAdmin admin) {
        this.changes = new TopicConfigChanges(topics, admin);
    }

    void handle(Call call, IncrementalAlterConfigsRequest request) {
        List<AlterConfigsResourceResponse> answers = new ArrayList<>();
        List<TopicConfigChanges.Wish> wishes = new ArrayList<>();
        for (AlterConfigsResource resource : request.resources()) {
            AlterConfigsResourceResponse answer = new AlterConfigsResourceResponse()
                    .resourceType(resource.resourceType())
                    .resourceName(resource.resourceName());
            answers.add(answer);
            wishes.add(new TopicConfigChanges.Wish(
                    resource.resourceType(),
                    resource.resourceName(),
                    before -> changed(before, resource),
                    refusal -> answer.errorCode(refusal.code().code()).errorMessage(refusal.getMessage())));
        }
        changes.alter(
                wishes,
                request.validateOnly(),
                () -> call.answer(new IncrementalAlterConfigsResponse().responses(answers)));
    }

    private static Map<String, String> changed(Map<String, String> before, AlterConfigsResource resource) {
        Map<String, String> configs = new LinkedHashMap<>(before);
        for (AlterableConfig config : resource.configs()) {
            String value = config.value();
            if (config.configOperation() == DELETE) {
                configs.remove(config.name());
            } else if (config.configOperation() == SET && value != null) {
                configs.put(config.name(), value);
            } else {
                throw new RefusedException(
                        ErrorCode.INVALID_REQUEST, "config " + config.name() + " can be set to a value or deleted");
            }
        }
        return configs;
    }
}
