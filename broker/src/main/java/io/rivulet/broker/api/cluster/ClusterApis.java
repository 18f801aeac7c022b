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
                Route.of(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterHandler(parts)));
    }
}
