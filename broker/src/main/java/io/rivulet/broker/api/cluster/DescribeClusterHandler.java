package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.node.Node;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeClusterResponse.DescribeClusterBroker;

/** Describes the cluster: the brokers that are alive. */
record DescribeClusterHandler(ApiParts parts) implements Handler<DescribeClusterRequest> {
    private static final byte BROKERS = 1;

    @Override
    public void handle(Call call, DescribeClusterRequest request) {
        if (request.endpointType() != BROKERS) {
            call.answer(new DescribeClusterResponse()
                    .errorCode(ErrorCode.MISMATCHED_ENDPOINT_TYPE.code())
                    .errorMessage("this is a broker, not a controller"));
            return;
        }
        call.answer(new DescribeClusterResponse()
                .clusterId(parts.clusterId())
                .controllerId(parts.nodeId())
                .clusterAuthorizedOperations(
                        AuthorizedOperations.ofCluster(call.access(), request.includeClusterAuthorizedOperations()))
                .brokers(parts.nodes().reachableFrom(call.origin()).stream()
                        .map(DescribeClusterHandler::broker)
                        .toList()));
    }

    private static DescribeClusterBroker broker(Node node) {
        return new DescribeClusterBroker()
                .brokerId(node.id())
                .host(node.host())
                .port(node.port())
                .rack(node.rack());
    }
}
