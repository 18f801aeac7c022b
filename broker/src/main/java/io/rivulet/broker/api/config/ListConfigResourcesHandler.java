package io.rivulet.broker.api.config;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ListConfigResourcesRequest;
import io.rivulet.protocol.message.ListConfigResourcesResponse;
import io.rivulet.protocol.message.ListConfigResourcesResponse.ConfigResource;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lists the resources that have configs: all topics and this broker, and groups and subscriptions with their own. */
record ListConfigResourcesHandler(ApiParts parts)
        implements Handler<ListConfigResourcesRequest>, Refusal<ListConfigResourcesRequest> {
    private static final List<Byte> TYPES =
            List.of(Resource.TOPIC, Resource.BROKER, Resource.BROKER_LOGGER, Resource.CLIENT_METRICS, Resource.GROUP);

    @Override
    public void handle(Call call, ListConfigResourcesRequest request) {
        Set<Byte> types = types(call, request);
        if (!TYPES.containsAll(types)) {
            call.answer(new ListConfigResourcesResponse().errorCode(ErrorCode.UNSUPPORTED_VERSION.code()));
            return;
        }
        List<ConfigResource> others = new ArrayList<>();
        for (byte type : types) {
            switch (type) {
                case Resource.BROKER, Resource.BROKER_LOGGER ->
                    others.add(resource(type, parts.live().broker().name()));
                case Resource.GROUP, Resource.CLIENT_METRICS ->
                    parts.live().resources().names(type).forEach(name -> others.add(resource(type, name)));
                default -> {}
            }
        }
        if (types.contains(Resource.TOPIC)) {
            long heapBytes = parts.topics().size() * Topic.HEAP_BYTES;
            parts.longAnswers().make(call, heapBytes, reader -> response(withTopics(others)));
        } else {
            parts.longAnswers().answer(call, response(others), others.size());
        }
    }

    @Override
    public Message refuse(ListConfigResourcesRequest request, short version, ErrorCode error) {
        return new ListConfigResourcesResponse().errorCode(error.code());
    }

    /** The first version lists subscriptions to metrics only; no type means all types. */
    private static Set<Byte> types(Call call, ListConfigResourcesRequest request) {
        if (call.version() == 0) {
            return Set.of(Resource.CLIENT_METRICS);
        }
        Set<Byte> types = new LinkedHashSet<>();
        for (byte type : request.resourceTypes()) {
            types.add(type);
        }
        return types.isEmpty() ? new LinkedHashSet<>(TYPES) : types;
    }

    private List<ConfigResource> withTopics(List<ConfigResource> others) {
        List<Topic> topics = new ArrayList<>(parts.topics().size());
        parts.topics().forEach(topics::add);
        // Each resource is made when it is encoded, so a million of them never exist at once.
        return new LazyList<>(
                topics.size() + others.size(),
                i -> i < topics.size()
                        ? resource(Resource.TOPIC, topics.get(i).name())
                        : others.get(i - topics.size()));
    }

    private static ConfigResource resource(byte type, String name) {
        return new ConfigResource().resourceType(type).resourceName(name);
    }

    private static ListConfigResourcesResponse response(List<ConfigResource> resources) {
        return new ListConfigResourcesResponse().configResources(resources);
    }
}
