package io.rivulet.broker.api.cluster;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** The routes that describe the cluster. */
public final class ClusterApis {
    private ClusterApis() {}

    /** @param table the routes that ApiVersions advertises */
    public static List<Route> routes(ApiParts parts, RouteTable table) {
        return List.of(
                Route.of(ApiKey.API_VERSIONS, new ApiVersionsHandler(parts, table)),
                Route.of(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterHandler(parts)),
                needing(Operation.DESCRIBE, ApiKey.DESCRIBE_QUORUM, new DescribeQuorumHandler(parts)),
                needing(Operation.ALTER, ApiKey.UPDATE_FEATURES, new UpdateFeaturesHandler(parts)),
                needing(Operation.ALTER, ApiKey.UNREGISTER_BROKER, new UnregisterBrokerHandler(parts)),
                needing(Operation.ALTER, ApiKey.ADD_RAFT_VOTER, new AddRaftVoterHandler(parts)),
                needing(Operation.ALTER, ApiKey.REMOVE_RAFT_VOTER, new RemoveRaftVoterHandler(parts)));
    }

    private static <T extends Message, H extends Handler<T> & Refusal<T>> Route needing(
            Operation operation, ApiKey key, H handler) {
        return Route.of(key, handler)
                .permittedBy(Permissions.cluster(operation))
                .refusedBy(handler);
    }
}
