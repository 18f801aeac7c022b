package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeQuorumRequest;
import io.rivulet.protocol.message.DescribeQuorumRequest.TopicData;
import io.rivulet.protocol.message.DescribeQuorumResponse;
import io.rivulet.protocol.message.DescribeQuorumResponse.Node;
import io.rivulet.protocol.message.DescribeQuorumResponse.PartitionData;
import io.rivulet.protocol.message.DescribeQuorumResponse.ReplicaState;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "metadata-quorum",
        description = {
            "Describe the quorum of the metadata, as kafka-metadata-quorum.sh does.",
            "The broker is the only voter, and offsets are bytes of its log.",
        })
public final class MetadataQuorumTool extends DataTool {
    private static final Output.Table REPLICAS = new Output.Table(
            "%-10s %-25s %-15s %-10s %-20s %-25s %s%n",
            "", "nodeId,directoryId,logEndOffset,lag,lastFetchTimestamp,lastCaughtUpTimestamp,status");

    /** Picocli makes sure that exactly one is given, so the last one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Part {
        @Option(
                names = {"--status", "-s"},
                description = "print a summary")
        private boolean status;

        @Option(
                names = {"--replication", "--re", "-r"},
                description = "print a row for each voter and observer")
        private boolean replication;
    }

    @Parameters(paramLabel = "describe", description = "what to do; there is no other action")
    private String action;

    @ArgGroup(multiplicity = "1")
    private Part part = new Part();

    @Option(names = "--human-readable", hidden = true, description = "ignored")
    private boolean unusedReadable;

    @Override
    void run(BrokerConnection broker, Output out) {
        if (!action.equals("describe")) {
            throw misused(action + " is not served: voters can't be added or removed");
        }
        DescribeQuorumResponse response = broker.ask(
                ApiKey.DESCRIBE_QUORUM,
                new DescribeQuorumRequest()
                        .topics(List.of(new TopicData()
                                .topicName("__cluster_metadata")
                                .partitions(List.of(new DescribeQuorumRequest.PartitionData())))),
                DescribeQuorumResponse.class);
        ClientException.require(response.errorCode(), response.errorMessage(), "describing the quorum");
        PartitionData quorum = response.topics().get(0).partitions().get(0);
        ClientException.require(quorum.errorCode(), quorum.errorMessage(), "describing the quorum");
        if (part.status) {
            status(broker, response, quorum, out);
        } else {
            replication(quorum, out);
        }
    }

    private static void status(
            BrokerConnection broker, DescribeQuorumResponse response, PartitionData quorum, Output out) {
        String cluster = broker.ask(
                        ApiKey.DESCRIBE_CLUSTER, new DescribeClusterRequest(), DescribeClusterResponse.class)
                .clusterId();
        ReplicaState leader = leader(quorum);
        ReplicaState last = quorum.currentVoters().stream()
                .min(Comparator.comparingLong(ReplicaState::logEndOffset))
                .orElse(leader);
        if (out.isJson()) {
            out.single(JsonText.object(
                    "clusterId",
                    cluster,
                    "leaderId",
                    quorum.leaderId(),
                    "leaderEpoch",
                    quorum.leaderEpoch(),
                    "highWatermark",
                    quorum.highWatermark(),
                    "maxFollowerLag",
                    leader.logEndOffset() - last.logEndOffset(),
                    "maxFollowerLagTimeMs",
                    leader.lastCaughtUpTimestamp() - last.lastCaughtUpTimestamp(),
                    "currentVoters",
                    ids(quorum.currentVoters()),
                    "currentObservers",
                    ids(quorum.observers())));
            return;
        }
        String row = "%-23s %s%n";
        out.printf(row, "ClusterId:", cluster);
        out.printf(row, "LeaderId:", quorum.leaderId());
        out.printf(row, "LeaderEpoch:", quorum.leaderEpoch());
        out.printf(row, "HighWatermark:", quorum.highWatermark());
        out.printf(row, "MaxFollowerLag:", leader.logEndOffset() - last.logEndOffset());
        out.printf(row, "MaxFollowerLagTimeMs:", leader.lastCaughtUpTimestamp() - last.lastCaughtUpTimestamp());
        out.printf(row, "CurrentVoters:", replicas(response, quorum.currentVoters()));
        out.printf(row, "CurrentObservers:", replicas(response, quorum.observers()));
    }

    private static ReplicaState leader(PartitionData quorum) {
        return quorum.currentVoters().stream()
                .filter(voter -> voter.replicaId() == quorum.leaderId())
                .findFirst()
                .orElseThrow(() -> new ClientException("the quorum has no leader"));
    }

    private static List<Integer> ids(List<ReplicaState> replicas) {
        return replicas.stream().map(ReplicaState::replicaId).toList();
    }

    private static String replicas(DescribeQuorumResponse response, List<ReplicaState> replicas) {
        return replicas.stream()
                .map(replica -> "{\"id\": " + replica.replicaId() + endpoints(response, replica.replicaId()) + "}")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String endpoints(DescribeQuorumResponse response, int id) {
        return response.nodes().stream()
                .filter(node -> node.nodeId() == id)
                .map(MetadataQuorumTool::endpoints)
                .collect(Collectors.joining());
    }

    private static String endpoints(Node node) {
        return node.listeners().stream()
                .map(listener -> "\"" + listener.name() + "://" + listener.host() + ":" + listener.port() + "\"")
                .collect(Collectors.joining(", ", ", \"endpoints\": [", "]"));
    }

    private static void replication(PartitionData quorum, Output out) {
        out.printf(
                REPLICAS.format(),
                "NodeId",
                "DirectoryId",
                "LogEndOffset",
                "Lag",
                "LastFetchTimestamp",
                "LastCaughtUpTimestamp",
                "Status");
        long end = leader(quorum).logEndOffset();
        quorum.currentVoters()
                .forEach(voter -> row(out, voter, end, voter.replicaId() == quorum.leaderId() ? "Leader" : "Follower"));
        quorum.observers().forEach(observer -> row(out, observer, end, "Observer"));
    }

    private static void row(Output out, ReplicaState replica, long end, String status) {
        out.row(
                REPLICAS,
                replica.replicaId(),
                replica.replicaDirectoryId(),
                replica.logEndOffset(),
                end - replica.logEndOffset(),
                replica.lastFetchTimestamp(),
                replica.lastCaughtUpTimestamp(),
                status);
    }
}
