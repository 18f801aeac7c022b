package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeLogDirsRequest;
import io.rivulet.protocol.message.DescribeLogDirsResponse;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "log-dirs", description = "Print the sizes of partitions as JSON, as kafka-log-dirs.sh does.")
public final class LogDirsTool extends Tool {
    @Option(names = "--describe", required = true, description = "print sizes; there is no other action")
    private boolean unusedDescribe;

    @Option(names = "--topic-list", paramLabel = "name,name", split = ",", description = "topics (default: all)")
    private @Nullable Set<String> topics;

    @Option(names = "--broker-list", paramLabel = "id,id", split = ",", description = "brokers (default: all)")
    private @Nullable Set<Integer> brokers;

    @Override
    void run(BrokerConnection broker, PrintWriter out) {
        int id = broker.ask(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterRequest(), DescribeClusterResponse.class)
                .controllerId();
        if (brokers != null && !brokers.equals(Set.of(id))) {
            throw new ClientException("the only broker is " + id);
        }
        out.println("Querying brokers for log directories information");
        DescribeLogDirsResponse response = broker.ask(
                ApiKey.DESCRIBE_LOG_DIRS, new DescribeLogDirsRequest().topics(null), DescribeLogDirsResponse.class);
        out.println("Received log directory information from brokers " + id);
        out.printf(
                "{\"version\":1,\"brokers\":[{\"broker\":%d,\"logDirs\":[%s]}]}%n",
                id, response.results().stream().map(this::json).collect(Collectors.joining(",")));
    }

    private String json(DescribeLogDirsResult directory) {
        List<String> partitions = new ArrayList<>();
        directory.topics().stream()
                .filter(topic -> topics == null || topics.contains(topic.name()))
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> partitions.add(String.format(
                                "{\"partition\":\"%s-%d\",\"size\":%d,\"offsetLag\":%d,\"isFuture\":%b}",
                                topic.name(),
                                partition.partitionIndex(),
                                partition.partitionSize(),
                                partition.offsetLag(),
                                partition.isFutureKey()))));
        String error = directory.errorCode() == ErrorCode.NONE.code()
                ? "null"
                : Json.quoted(ClientException.name(directory.errorCode()));
        return "{\"partitions\":[" + String.join(",", partitions) + "],\"error\":" + error + ",\"logDir\":"
                + Json.quoted(directory.logDir()) + "}";
    }
}
