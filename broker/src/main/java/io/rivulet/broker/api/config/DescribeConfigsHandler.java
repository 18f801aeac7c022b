package io.rivulet.broker.api.config;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.KafkaKey;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes the configs of resources, each with the sources of its value. */
record DescribeConfigsHandler(ApiParts parts, ConfigKinds kinds, Loggers loggers)
        implements Handler<DescribeConfigsRequest> {
    /** Describes each resource once, and only when it is encoded, so few descriptions exist at the same time. */
    @Override
    public void handle(Call call, DescribeConfigsRequest request) {
        Map<Resource, DescribeConfigsResource> resources = new LinkedHashMap<>();
        for (DescribeConfigsResource resource : request.resources()) {
            resources.putIfAbsent(new Resource(resource.resourceType(), resource.resourceName()), resource);
        }
        List<DescribeConfigsResource> all = List.copyOf(resources.values());
        long configs = all.stream().mapToLong(DescribeConfigsHandler::configs).sum();
        Access access = call.access();
        LazyList<DescribeConfigsResult> results =
                new LazyList<>(all.size(), i -> describe(all.get(i), Wanted.of(request, all.get(i)), access));
        parts.longAnswers().answer(call, new DescribeConfigsResponse().results(results), configs);
    }

    /** About how many configs a resource has. */
    private static int configs(DescribeConfigsResource resource) {
        return resource.resourceType() == Resource.BROKER ? KafkaKey.all().size() : TopicConfigKey.values().length;
    }

    private DescribeConfigsResult describe(DescribeConfigsResource resource, Wanted wanted, Access access) {
        DescribeConfigsResult result = new DescribeConfigsResult()
                .resourceType(resource.resourceType())
                .resourceName(resource.resourceName());
        try {
            ConfigAccess.require(
                    access, Operation.DESCRIBE_CONFIGS, new Resource(resource.resourceType(), resource.resourceName()));
            return result.configs(
                    resource.resourceType() == Resource.BROKER_LOGGER
                            ? loggers.describe(resource.resourceName(), wanted)
                            : kinds.require(resource.resourceType()).describe(resource.resourceName(), wanted));
        } catch (RefusedException | ConfigException e) {
            RefusedException refusal = ErrorMapper.refusal(e);
            return result.errorCode(refusal.code().code()).errorMessage(refusal.getMessage());
        }
    }
}
