package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeClusterResponse.DescribeClusterBroker;
import java.util.List;

/** Describes the cluster: this broker. */
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
        Call.Endpoint endpoint = call.origin().advertised();
        call.answer(new DescribeClusterResponse()
                .clusterId(parts.clusterId())
                .controllerId(parts.nodeId())
                .clusterAuthorizedOperations(
                        AuthorizedOperations.ofCluster(call.access(), request.includeClusterAuthorizedOperations()))
                .brokers(List.of(new DescribeClusterBroker()
                        .brokerId(parts.nodeId())
                        .host(endpoint.host())
                        .port(endpoint.port())
                        .rack(parts.rack()))));
    }
}
