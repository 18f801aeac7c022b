package io.rivulet.bench.load;

import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseBroker;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponsePartition;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a client sends to one broker: requests for the partitions that it leads. Immutable.
 *
 * @param frames as of {@link ProduceFrames}
 */
public record LeaderFrames(RunningBroker leader, Frames frames) {
    private static final long LEADERS_SECONDS = 120;
    private static final long BETWEEN_PROBES_MILLIS = 50;

    /** For a topic that exists; one for each broker that leads some of it. Returns when all partitions accept them. */
    public static List<LeaderFrames> ready(RunningBroker broker, String topic, LoadShape shape)
            throws IOException, BrokerFailedException {
        List<LeaderFrames> all = broker.fellows().isEmpty()
                ? List.of(new LeaderFrames(broker, ProduceFrames.of(topic, shape)))
                : ofCluster(broker, topic, shape);
        for (LeaderFrames each : all) {
            Topics.awaitReady(each.leader, each.frames);
        }
        return all;
    }

    private static List<LeaderFrames> ofCluster(RunningBroker broker, String topic, LoadShape shape)
            throws IOException, BrokerFailedException {
        Await.until(
                () -> hasLeaders(broker.description(topic), shape.partitions()),
                LEADERS_SECONDS,
                BETWEEN_PROBES_MILLIS,
                () -> "partitions have no leader: " + broker.complaint());
        Map<Integer, Integer> ports = broker.description().brokers().stream()
                .collect(Collectors.toMap(MetadataResponseBroker::nodeId, MetadataResponseBroker::port));
        MetadataResponseTopic found = broker.description(topic);
        List<LeaderFrames> all = new ArrayList<>();
        for (RunningBroker each :
                Stream.concat(Stream.of(broker), broker.fellows().stream()).toList()) {
            int[] led = found.partitions().stream()
                    .filter(partition -> ports.getOrDefault(partition.leaderId(), 0) == each.port())
                    .mapToInt(MetadataResponsePartition::partitionIndex)
                    .sorted()
                    .toArray();
            if (led.length > 0) {
                all.add(new LeaderFrames(each, ProduceFrames.of(topic, led, shape)));
            }
        }
        return all;
    }

    private static boolean hasLeaders(MetadataResponseTopic topic, int partitions) {
        return topic.partitions().size() == partitions
                && topic.partitions().stream().allMatch(partition -> partition.leaderId() >= 0);
    }
}
