package io.rivulet.broker.api.config;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import java.util.Map;

/** The types of resources whose configs can be described and altered. Immutable. */
record ConfigKinds(Map<Byte, ConfigKind> byType) {
    static ConfigKinds of(ApiParts parts) {
        return new ConfigKinds(Map.of(
                Resource.TOPIC, new TopicKind(parts.topics(), parts.admin(), parts.live()),
                Resource.BROKER, new BrokerKind(parts),
                Resource.GROUP, new GroupKind(parts.live(), parts.store()),
                Resource.CLIENT_METRICS, new ClientMetricsKind(parts.live(), parts.store())));
    }

    /** @throws RefusedException if there is no such type */
    ConfigKind require(byte type) {
        ConfigKind kind = byType.get(type);
        if (kind == null) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "resources of type " + type + " have no configs");
        }
        return kind;
    }
}
