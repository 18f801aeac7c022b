package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes that describe the cluster. */
public final class ClusterApis {
    private ClusterApis() {}

    /** @param table the routes that ApiVersions advertises */
    public static List<Route> routes(ApiParts parts, RouteTable table) {
        return List.of(
                Route.of(ApiKey.API_VERSIONS, new ApiVersionsHandler(parts, table)),
                Route.of(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterHandler(parts)),
                Route.of(ApiKey.DESCRIBE_QUORUM, new DescribeQuorumHandler(parts)),
                Route.of(ApiKey.UPDATE_FEATURES, new UpdateFeaturesHandler(parts)),
                Route.of(ApiKey.UNREGISTER_BROKER, new UnregisterBrokerHandler(parts)),
                Route.of(ApiKey.ADD_RAFT_VOTER, new AddRaftVoterHandler(parts)),
                Route.of(ApiKey.REMOVE_RAFT_VOTER, new RemoveRaftVoterHandler(parts)));
    }
}
