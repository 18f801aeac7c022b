package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeLogDirsRequest;
import io.rivulet.protocol.message.DescribeLogDirsResponse;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "log-dirs", description = "Print the sizes of partitions as JSON, as kafka-log-dirs.sh does.")
public final class LogDirsTool extends DataTool {
    @Option(names = "--describe", required = true, description = "print sizes; there is no other action")
    private boolean unusedDescribe;

    @Option(names = "--topic-list", paramLabel = "name,name", split = ",", description = "topics (default: all)")
    private @Nullable Set<String> topics;

    @Option(names = "--broker-list", paramLabel = "id,id", split = ",", description = "brokers (default: all)")
    private @Nullable Set<Integer> brokers;

    @Override
    void run(BrokerConnection broker, Output out) {
        int id = broker.ask(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterRequest(), DescribeClusterResponse.class)
                .controllerId();
        if (brokers != null && !brokers.equals(Set.of(id))) {
            throw new ClientException("the only broker is " + id);
        }
        out.println("Querying brokers for log directories information");
        DescribeLogDirsResponse response = broker.ask(
                ApiKey.DESCRIBE_LOG_DIRS, new DescribeLogDirsRequest().topics(null), DescribeLogDirsResponse.class);
        out.println("Received log directory information from brokers " + id);
        out.single(JsonText.object(
                "version",
                1,
                "brokers",
                List.of(JsonText.object(
                        "broker",
                        id,
                        "logDirs",
                        response.results().stream().map(this::json).toList()))));
    }

    private Map<String, @Nullable Object> json(DescribeLogDirsResult directory) {
        List<Map<String, @Nullable Object>> partitions = new ArrayList<>();
        directory.topics().stream()
                .filter(topic -> topics == null || topics.contains(topic.name()))
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> partitions.add(JsonText.object(
                                "partition",
                                topic.name() + "-" + partition.partitionIndex(),
                                "size",
                                partition.partitionSize(),
                                "offsetLag",
                                partition.offsetLag(),
                                "isFuture",
                                partition.isFutureKey()))));
        String error =
                directory.errorCode() == ErrorCode.NONE.code() ? null : ClientException.name(directory.errorCode());
        return JsonText.object("partitions", partitions, "error", error, "logDir", directory.logDir());
    }
}
