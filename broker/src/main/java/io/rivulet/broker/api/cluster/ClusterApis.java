package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.BrokerIdentity;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of what a client asks about the cluster. */
public final class ClusterApis {
    private ClusterApis() {}

    /** @param table what ApiVersions advertises */
    public static List<Route> routes(BrokerIdentity identity, RouteTable table) {
        return List.of(
                Route.of(ApiKey.API_VERSIONS, new ApiVersionsHandler(identity, table))
                        .pipelined(),
                Route.of(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterHandler(identity)));
    }
}
