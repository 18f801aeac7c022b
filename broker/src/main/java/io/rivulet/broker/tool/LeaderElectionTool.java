package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ElectLeadersRequest;
import io.rivulet.protocol.message.ElectLeadersRequest.TopicPartitions;
import io.rivulet.protocol.message.ElectLeadersResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "leader-election",
        description =
                "Elect the leaders of partitions, as kafka-leader-election.sh does. Here this broker always leads.")
public final class LeaderElectionTool extends DataTool {
    private static final int TIMEOUT_MILLIS = 60_000;

    private static final byte PREFERRED = 0;
    private static final byte UNCLEAN = 1;

    /** Picocli makes sure that exactly one is given, so the first one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Choice {
        @Option(names = "--all-topic-partitions", description = "all partitions")
        private boolean all;

        @Option(names = "--topic", paramLabel = "name", description = "a topic, with --partition")
        private @Nullable String topic;

        @Option(
                names = "--path-to-json-file",
                paramLabel = "file",
                description = "{\"partitions\": [{\"topic\": \"a\", \"partition\": 0}]}")
        private @Nullable Path file;
    }

    @ArgGroup(multiplicity = "1")
    private Choice choice = new Choice();

    @Option(names = "--partition", paramLabel = "n", description = "with --topic: the partition")
    private @Nullable Integer partition;

    @Option(
            names = "--election-type",
            required = true,
            paramLabel = "preferred|unclean",
            description = "preferred: the first replica; unclean: any replica, if there is no leader")
    private String type;

    @Override
    void run(BrokerConnection broker, Output out) throws IOException {
        byte election = type();
        String wanted = type.toUpperCase(Locale.ROOT);
        ElectLeadersResponse response = broker.ask(
                ApiKey.ELECT_LEADERS,
                new ElectLeadersRequest()
                        .electionType(election)
                        .timeoutMs(TIMEOUT_MILLIS)
                        .topicPartitions(wanted()),
                ElectLeadersResponse.class);
        ClientException.require(response.errorCode(), null, "electing leaders");
        List<String> elected = new ArrayList<>();
        List<String> already = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        response.replicaElectionResults()
                .forEach(topic -> topic.partitionResult().forEach(result -> {
                    String name = topic.topic() + "-" + result.partitionId();
                    if (result.errorCode() == ErrorCode.NONE.code()) {
                        elected.add(name);
                    } else if (result.errorCode() == ErrorCode.ELECTION_NOT_NEEDED.code()) {
                        already.add(name);
                    } else {
                        failed.add(
                                name + ": " + ClientException.name(result.errorCode()) + ": " + result.errorMessage());
                    }
                }));
        if (out.isJson()) {
            out.single(JsonText.object("elected", elected, "alreadyElected", already, "failed", failed));
        }
        if (!elected.isEmpty()) {
            out.printf(
                    "Successfully completed leader election (%s) for partitions %s%n",
                    wanted, String.join(", ", elected));
        }
        if (!already.isEmpty()) {
            out.println("Valid replica already elected for partitions " + String.join(", ", already));
        }
        if (!failed.isEmpty()) {
            throw new ClientException("leader election (" + wanted + ") for " + String.join("; ", failed));
        }
    }

    private byte type() {
        return switch (type.toLowerCase(Locale.ROOT)) {
            case "preferred" -> PREFERRED;
            case "unclean" -> UNCLEAN;
            default -> throw misused("--election-type " + type + " is not one of preferred, unclean");
        };
    }

    private @Nullable List<TopicPartitions> wanted() throws IOException {
        if (choice.topic != null) {
            if (partition == null) {
                throw misused("Missing required option: '--partition'");
            }
            return List.of(new TopicPartitions().topic(choice.topic).partitions(new int[] {partition}));
        }
        if (choice.file == null) {
            return null;
        }
        List<TopicPartitions> wanted = new ArrayList<>();
        PartitionsFile.byTopic(choice.file)
                .forEach((topic, entries) -> wanted.add(new TopicPartitions()
                        .topic(topic)
                        .partitions(entries.stream()
                                .mapToInt(PartitionsFile.Entry::partition)
                                .toArray())));
        return wanted;
    }
}
