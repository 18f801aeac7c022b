package io.rivulet.broker.client;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.ListOffsetsRequest;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import io.rivulet.protocol.message.ListOffsetsResponse;
import io.rivulet.protocol.message.ListOffsetsResponse.ListOffsetsPartitionResponse;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataRequest.MetadataRequestTopic;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Queries topics, and the first and end offsets of their partitions; deletes topics. Owned by one thread. */
public record TopicQueries(BrokerConnection broker) {
    public static final long LATEST = -1;
    public static final long EARLIEST = -2;
    private static final int TIMEOUT_MILLIS = 60_000;

    /** All topics, by name. */
    public List<MetadataResponseTopic> all() {
        List<MetadataResponseTopic> topics =
                new ArrayList<>(metadata(null, false).topics());
        topics.sort(Comparator.comparing(topic -> Objects.requireNonNull(topic.name())));
        return topics;
    }

    /** Topics whose whole name matches. Commas separate alternatives, as in Kafka's tools. */
    public List<MetadataResponseTopic> matching(@Nullable String expression) {
        if (expression == null) {
            return all();
        }
        try {
            Pattern pattern = Pattern.compile(expression.strip().replace(',', '|'));
            return all().stream()
                    .filter(topic -> pattern.matcher(Objects.requireNonNull(topic.name()))
                            .matches())
                    .toList();
        } catch (PatternSyntaxException e) {
            throw new ClientException("'" + expression + "' is not a regular expression: " + e.getDescription());
        }
    }

    /** @param create whether the broker may create the topic if it does not exist */
    public MetadataResponseTopic require(String name, boolean create) {
        MetadataResponseTopic topic = metadata(name, create).topics().get(0);
        ClientException.require(topic.errorCode(), null, "reading topic " + name);
        return topic;
    }

    private MetadataResponse metadata(@Nullable String name, boolean create) {
        return broker.ask(
                ApiKey.METADATA,
                new MetadataRequest()
                        .topics(name == null ? null : List.of(new MetadataRequestTopic().name(name)))
                        .allowAutoTopicCreation(create),
                MetadataResponse.class);
    }

    /** The offset of each partition at a time, {@link #EARLIEST} or {@link #LATEST}; -1 if there is none. */
    public SortedMap<Integer, Long> offsets(MetadataResponseTopic topic, long time) {
        List<ListOffsetsPartition> partitions = new ArrayList<>();
        for (int i = 0; i < topic.partitions().size(); i++) {
            partitions.add(new ListOffsetsPartition().partitionIndex(i).timestamp(time));
        }
        ListOffsetsResponse response = broker.ask(
                ApiKey.LIST_OFFSETS,
                new ListOffsetsRequest()
                        .replicaId(-1)
                        .topics(List.of(new ListOffsetsTopic()
                                .name(Objects.requireNonNull(topic.name()))
                                .partitions(partitions))),
                ListOffsetsResponse.class);
        SortedMap<Integer, Long> offsets = new TreeMap<>();
        for (ListOffsetsPartitionResponse partition : response.topics().get(0).partitions()) {
            ClientException.require(partition.errorCode(), null, "reading the offsets of " + topic.name());
            offsets.put(partition.partitionIndex(), partition.offset());
        }
        return offsets;
    }

    public void delete(List<String> names) {
        if (names.isEmpty()) {
            return;
        }
        broker.ask(
                        ApiKey.DELETE_TOPICS,
                        new DeleteTopicsRequest()
                                .timeoutMs(TIMEOUT_MILLIS)
                                .topics(names.stream()
                                        .map(name -> new DeleteTopicState().name(name))
                                        .toList()),
                        DeleteTopicsResponse.class)
                .responses()
                .forEach(result -> ClientException.require(
                        result.errorCode(), result.errorMessage(), "deleting topic " + result.name()));
    }
}
