package io.rivulet.broker.client;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.StreamsGroupDescribeRequest;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.Subtopology;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.TopicInfo;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Describes a streams group. Owned by one thread. */
public record StreamsGroupAdmin(BrokerConnection broker, String group) {
    public DescribedGroup describe() {
        DescribedGroup described = broker.ask(
                        ApiKey.STREAMS_GROUP_DESCRIBE,
                        new StreamsGroupDescribeRequest().groupIds(List.of(group)),
                        StreamsGroupDescribeResponse.class)
                .groups()
                .get(0);
        ClientException.require(described.errorCode(), described.errorMessage(), "describing group " + group);
        return described;
    }

    /** The topics that the broker creates for the application. A source topic that serves as changelog is none. */
    public static Set<String> internalTopics(DescribedGroup described) {
        Set<String> internal = new TreeSet<>();
        for (Subtopology part : subtopologies(described)) {
            Stream.concat(part.repartitionSourceTopics().stream(), part.stateChangelogTopics().stream())
                    .map(TopicInfo::name)
                    .forEach(internal::add);
        }
        for (Subtopology part : subtopologies(described)) {
            part.sourceTopics().forEach(internal::remove);
        }
        return internal;
    }

    private static List<Subtopology> subtopologies(DescribedGroup described) {
        StreamsGroupDescribeResponse.Topology topology = described.topology();
        List<Subtopology> parts = topology == null ? null : topology.subtopologies();
        return parts == null ? List.of() : parts;
    }
}
