package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "get-offsets", description = "Print the offsets of partitions at a time, as kafka-get-offsets.sh does.")
public final class GetOffsetsTool extends DataTool {
    private static final Output.Table OFFSETS = new Output.Table("%s:%d:%s%n", "", "topic,partition,offset");

    @Option(names = "--topic", paramLabel = "regex", description = "topics (default: all)")
    private @Nullable String topic;

    @Option(names = "--partitions", paramLabel = "n,n", split = ",", description = "partitions (default: all)")
    private @Nullable Set<Integer> partitions;

    @Option(
            names = "--time",
            paramLabel = "earliest|latest|millis",
            description = "the first offset, the end offset, or the first one at this time (default: ${DEFAULT-VALUE})",
            defaultValue = "latest")
    private String time;

    @Option(
            names = "--broker-list",
            hidden = true,
            paramLabel = "host:port",
            description = "an older name of --bootstrap-server")
    private @Nullable String brokerList;

    @Override
    @Nullable
    String servers() {
        return brokerList == null ? super.servers() : brokerList;
    }

    @Override
    void run(BrokerConnection broker, Output out) {
        TopicQueries topics = new TopicQueries(broker);
        List<MetadataResponseTopic> found = topics.matching(topic);
        if (found.isEmpty() && topic != null) {
            throw new ClientException("Could not match any topic-partitions with the specified filters");
        }
        long when = when();
        for (MetadataResponseTopic each : found) {
            topics.offsets(each, when).forEach((partition, offset) -> {
                if (partitions == null || partitions.contains(partition)) {
                    out.row(OFFSETS, each.name(), partition, offset < 0 ? null : offset);
                }
            });
        }
    }

    private long when() {
        return switch (time) {
            case "latest" -> TopicQueries.LATEST;
            case "earliest" -> TopicQueries.EARLIEST;
            default -> number("--time", time);
        };
    }
}
