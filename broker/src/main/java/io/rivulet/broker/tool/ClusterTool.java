package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeClusterResponse.DescribeClusterBroker;
import io.rivulet.protocol.message.UnregisterBrokerRequest;
import io.rivulet.protocol.message.UnregisterBrokerResponse;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "cluster",
        subcommands = ClusterStatusTool.class,
        description = {
            "Describe the cluster, as kafka-cluster.sh does.",
            "'rivulet cluster status' needs no broker: it prints who owns a log of rivulet.cluster, and its ledgers.",
        })
public final class ClusterTool extends DataTool {
    private static final Output.Table ENDPOINTS =
            new Output.Table("%-10s %-30s %-10s %-10s %-10s %s%n", "null", "id,host,port,rack,state,endpointType");
    private static final Output.Table CLUSTER = new Output.Table("Cluster ID: %s%n", "", "clusterId");
    private static final Output.Table UNREGISTERED =
            new Output.Table("Broker %d is no longer registered.%n", "", "unregistered");

    @Parameters(arity = "0..1", paramLabel = "cluster-id|list-endpoints|unregister", description = "what to do")
    private @Nullable String action;

    @Option(names = "--id", paramLabel = "id", description = "with unregister: the broker")
    private @Nullable Integer id;

    @Option(names = "--include-fenced-brokers", hidden = true, description = "ignored: no broker is fenced")
    private boolean unusedFenced;

    @Override
    void run(BrokerConnection broker, Output out) {
        switch (action == null ? "nothing" : action) {
            case "cluster-id" -> out.row(CLUSTER, describe(broker).clusterId());
            case "list-endpoints" -> list(describe(broker), out);
            case "unregister" -> unregister(broker, out);
            default -> throw misused(action + " is not one of cluster-id, list-endpoints, unregister");
        }
    }

    private static DescribeClusterResponse describe(BrokerConnection broker) {
        DescribeClusterResponse response =
                broker.ask(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterRequest(), DescribeClusterResponse.class);
        ClientException.require(response.errorCode(), response.errorMessage(), "describing the cluster");
        return response;
    }

    private static void list(DescribeClusterResponse cluster, Output out) {
        out.printf(ENDPOINTS.format(), "ID", "HOST", "PORT", "RACK", "STATE", "ENDPOINT_TYPE");
        for (DescribeClusterBroker each : cluster.brokers()) {
            out.row(ENDPOINTS, each.brokerId(), each.host(), each.port(), each.rack(), "unfenced", "broker");
        }
    }

    private void unregister(BrokerConnection broker, Output out) {
        if (id == null) {
            throw misused("Missing required option: '--id'");
        }
        UnregisterBrokerResponse response = broker.ask(
                ApiKey.UNREGISTER_BROKER, new UnregisterBrokerRequest().brokerId(id), UnregisterBrokerResponse.class);
        ClientException.require(response.errorCode(), response.errorMessage(), "unregistering broker " + id);
        out.row(UNREGISTERED, id);
    }
}
