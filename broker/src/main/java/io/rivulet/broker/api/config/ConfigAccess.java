package io.rivulet.broker.api.config;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;

/** Who may describe and alter the configs of a resource. Those of brokers belong to the cluster. Stateless. */
final class ConfigAccess {
    private ConfigAccess() {}

    /** Does nothing for a type that has no configs: it is refused for another reason. */
    static void require(Access access, Operation operation, Resource resource) {
        boolean isAllowed = switch (resource.type()) {
            case Resource.TOPIC -> access.mayTopic(operation, resource.name());
            case Resource.GROUP -> access.mayGroup(operation, resource.name());
            case Resource.BROKER, Resource.BROKER_LOGGER, Resource.CLIENT_METRICS -> access.mayCluster(operation);
            default -> true;
        };
        if (!isAllowed) {
            throw new RefusedException(error(resource.type()), "the client has no right to do this");
        }
    }

    private static ErrorCode error(byte type) {
        return switch (type) {
            case Resource.TOPIC -> ErrorCode.TOPIC_AUTHORIZATION_FAILED;
            case Resource.GROUP -> ErrorCode.GROUP_AUTHORIZATION_FAILED;
            default -> ErrorCode.CLUSTER_AUTHORIZATION_FAILED;
        };
    }
}
