package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.OffsetAdmin;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "streams-application-reset",
        description = {
            "Reset an application of Kafka Streams, as kafka-streams-application-reset.sh does:",
            "set the offsets of its input topics, and delete its internal topics. The application must not run.",
        })
public final class StreamsResetTool extends DataTool {
    private static final Output.Table OFFSETS =
            new Output.Table("Topic: %s Partition: %d Offset: %d%n", "", "topic,partition,newOffset");
    private static final Output.Table DELETED = new Output.Table("Deleting internal topic %s%n", "", "deletedTopic");
    private static final String EMPTY = "Empty";
    private static final Pattern INTERNAL = Pattern.compile("-changelog$|-repartition$"
            + "|-subscription-(registration|response)-topic$"
            + "|-KTABLE-FK-JOIN-SUBSCRIPTION-(REGISTRATION|RESPONSE)-[0-9]+-topic$");

    private static final class Place {
        @Option(names = "--to-earliest", description = "to the first record (default)")
        private boolean unusedEarliest;

        @Option(names = "--to-latest", description = "to the end")
        private boolean latest;

        @Option(names = "--to-offset", paramLabel = "n", description = "to this offset")
        private @Nullable Long offset;

        @Option(names = "--shift-by", paramLabel = "n", description = "forward by n, or back if n is negative")
        private @Nullable Long shift;
    }

    @ArgGroup
    private Place place = new Place();

    @Option(names = "--application-id", required = true, paramLabel = "id", description = "the application")
    private String application;

    @Option(names = "--input-topics", paramLabel = "name,name", split = ",", description = "topics to read again")
    private List<String> inputs = new ArrayList<>();

    @Option(
            names = "--intermediate-topics",
            paramLabel = "name,name",
            split = ",",
            description = "topics to read from their end")
    private List<String> intermediates = new ArrayList<>();

    @Option(
            names = "--internal-topics",
            paramLabel = "name,name",
            split = ",",
            description = "topics to delete (default: all internal topics of the application)")
    private @Nullable List<String> internals;

    @Option(names = "--dry-run", description = "print what would be done")
    private boolean dryRun;

    @Option(names = "--force", hidden = true, description = "ignored: members are not removed")
    private boolean unusedForce;

    @Override
    void run(BrokerConnection broker, Output out) {
        requireStopped(broker);
        TopicQueries topics = new TopicQueries(broker);
        OffsetAdmin offsets = new OffsetAdmin(broker, application);
        SortedMap<String, SortedMap<Integer, Long>> committed = offsets.committed();
        for (String input : inputs) {
            reset(topics, offsets, committed.getOrDefault(input, new TreeMap<>()), input, false, out);
        }
        for (String intermediate : intermediates) {
            reset(topics, offsets, new TreeMap<>(), intermediate, true, out);
        }
        List<String> deleted = topics.all().stream()
                .map(topic -> Objects.requireNonNull(topic.name()))
                .filter(this::isDeleted)
                .toList();
        deleted.forEach(topic -> out.row(DELETED, topic));
        if (!dryRun) {
            topics.delete(deleted);
        }
    }

    private void reset(
            TopicQueries topics,
            OffsetAdmin offsets,
            SortedMap<Integer, Long> committed,
            String name,
            boolean toTheEnd,
            Output out) {
        MetadataResponseTopic topic = topics.require(name, false);
        SortedMap<Integer, Long> starts = topics.offsets(topic, TopicQueries.EARLIEST);
        SortedMap<Integer, Long> target = topics.offsets(topic, TopicQueries.LATEST);
        target.replaceAll((partition, end) -> {
            long start = starts.getOrDefault(partition, 0L);
            long wanted = toTheEnd ? end : wanted(start, end, committed.getOrDefault(partition, start));
            return Math.max(start, Math.min(end, wanted));
        });
        target.forEach((partition, offset) -> out.row(OFFSETS, name, partition, offset));
        if (!dryRun) {
            offsets.commit(name, target);
        }
    }

    private long wanted(long start, long end, long current) {
        if (place.offset != null) {
            return place.offset;
        }
        if (place.shift != null) {
            return current + place.shift;
        }
        return place.latest ? end : start;
    }

    /** Streams names its topics after the application and their use. */
    private boolean isDeleted(String topic) {
        return topic.startsWith(application + "-")
                && INTERNAL.matcher(topic).find()
                && !inputs.contains(topic)
                && (internals == null || internals.contains(topic));
    }

    private void requireStopped(BrokerConnection broker) {
        broker.ask(ApiKey.LIST_GROUPS, new ListGroupsRequest(), ListGroupsResponse.class).groups().stream()
                .filter(group -> group.groupId().equals(application))
                .filter(group -> !group.groupState().equals(EMPTY))
                .findFirst()
                .ifPresent(group -> {
                    throw new ClientException(
                            "the application is " + group.groupState() + ": stop it, and wait for its session timeout");
                });
    }
}
