package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.streams.StreamsMember.Endpoint;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.EndpointToPartitions;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions the members with an endpoint serve, for interactive queries. The epoch rises when that changes. It
 * is not in the log: after a restart it begins with the time in seconds, which is higher than it was before.
 *
 * <p>Owned by: the coordinator thread.
 */
final class Endpoints {
    private final StreamsMembers members;
    private @Nullable ConfiguredTopology topics;
    private int epoch;
    /** As of the epoch and the topics: all members are told the same. */
    private @Nullable List<EndpointToPartitions> known;

    Endpoints(StreamsMembers members) {
        this.members = members;
    }

    void startWith(int firstEpoch) {
        epoch = firstEpoch;
    }

    @SuppressWarnings("ReferenceEquality") // each change of the topology makes a new object
    void use(ConfiguredTopology newTopics) {
        if (topics != newTopics) {
            topics = newTopics;
            known = null;
        }
    }

    /** The tasks or the endpoint of the member have changed. */
    void changed(StreamsMember member) {
        if (member.endpoint != null) {
            epoch++;
            known = null;
        }
    }

    int epoch() {
        return epoch;
    }

    /** The list must not be changed. */
    List<EndpointToPartitions> partitions() {
        List<EndpointToPartitions> all = known;
        if (all == null) {
            all = compute();
            known = all;
        }
        return all;
    }

    private List<EndpointToPartitions> compute() {
        List<EndpointToPartitions> all = new ArrayList<>();
        for (StreamsMember member : members.all()) {
            Endpoint endpoint = member.endpoint;
            if (endpoint != null) {
                all.add(new EndpointToPartitions()
                        .userEndpoint(new StreamsGroupHeartbeatResponse.Endpoint()
                                .host(endpoint.host())
                                .port(endpoint.port()))
                        .activePartitions(partitions(member.assigned.active()))
                        .standbyPartitions(partitions(member.assigned.standby())));
            }
        }
        return all;
    }

    /** The partitions that the tasks read, in all topics of their subtopologies. */
    private List<TopicPartition> partitions(TaskSet tasks) {
        List<TopicPartition> found = new ArrayList<>();
        ConfiguredTopology configured = topics;
        if (configured == null) {
            return found;
        }
        Map<String, Topology.Subtopology> parts = configured.topology().subtopologies();
        tasks.forEach((id, partitions) -> {
            Topology.Subtopology part = parts.get(id);
            for (String name : part == null ? List.<String>of() : part.inputs()) {
                Topic topic = configured.inputs().get(name);
                int count = topic == null ? 0 : topic.partitionCount();
                int[] read = IntStream.of(partitions)
                        .filter(partition -> partition < count)
                        .toArray();
                if (read.length > 0) {
                    found.add(new TopicPartition().topic(name).partitions(read));
                }
            }
        });
        return found;
    }
}
