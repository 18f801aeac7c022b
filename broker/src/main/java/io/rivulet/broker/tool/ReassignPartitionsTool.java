package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import io.rivulet.protocol.message.AlterPartitionReassignmentsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ListPartitionReassignmentsRequest;
import io.rivulet.protocol.message.ListPartitionReassignmentsResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponsePartition;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "reassign-partitions",
        description = "Assign partitions to brokers, as kafka-reassign-partitions.sh does. Here there is one broker.")
public final class ReassignPartitionsTool extends DataTool {
    private static final Output.Table IN_PROGRESS = new Output.Table("%s-%d%n", "", "topic,partition");
    private static final int TIMEOUT_MILLIS = 60_000;

    /** Picocli makes sure that exactly one is given, so the last one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Action {
        @Option(names = "--list", description = "print the reassignments in progress")
        private boolean list;

        @Option(names = "--generate", description = "print the current assignment and a new one")
        private boolean generate;

        @Option(names = "--execute", description = "assign partitions as the file says")
        private boolean execute;

        @Option(names = "--verify", description = "print whether partitions are assigned as the file says")
        private boolean verify;

        @Option(names = "--cancel", description = "cancel the reassignments of the partitions in the file")
        private boolean cancel;
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @Option(
            names = "--reassignment-json-file",
            paramLabel = "file",
            description = "{\"partitions\": [{\"topic\": \"a\", \"partition\": 0, \"replicas\": [1]}]}")
    private @Nullable Path file;

    @Option(
            names = "--topics-to-move-json-file",
            paramLabel = "file",
            description = "with --generate: {\"topics\": [{\"topic\": \"a\"}]}")
    private @Nullable Path topicsFile;

    @Option(names = "--broker-list", paramLabel = "id,id", split = ",", description = "with --generate: the brokers")
    private List<Integer> brokers = new ArrayList<>();

    @Option(
            names = {"--throttle", "--replica-alter-log-dirs-throttle", "--timeout"},
            paramLabel = "n",
            hidden = true,
            description = "ignored: nothing is copied")
    private @Nullable String unusedLimit;

    @Option(
            names = {"--additional", "--preserve-throttles", "--disable-rack-aware"},
            hidden = true,
            description = "ignored: nothing is copied")
    private boolean unusedFlag;

    @Override
    void run(BrokerConnection broker, Output out) throws IOException {
        if (action.list) {
            list(broker, out);
        } else if (action.generate) {
            generate(broker, out);
        } else if (action.verify) {
            verify(broker, out);
        } else {
            assign(broker, out);
        }
    }

    private static void list(BrokerConnection broker, Output out) {
        ListPartitionReassignmentsResponse response = broker.ask(
                ApiKey.LIST_PARTITION_REASSIGNMENTS,
                new ListPartitionReassignmentsRequest().topics(null),
                ListPartitionReassignmentsResponse.class);
        ClientException.require(response.errorCode(), response.errorMessage(), "listing reassignments");
        if (response.topics().isEmpty()) {
            out.println("No partition reassignments found.");
        }
        response.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> out.row(IN_PROGRESS, topic.name(), partition.partitionIndex())));
    }

    private void generate(BrokerConnection broker, Output out) throws IOException {
        if (topicsFile == null || brokers.isEmpty()) {
            throw misused("--generate needs --topics-to-move-json-file and --broker-list");
        }
        List<Map<String, @Nullable Object>> current = new ArrayList<>();
        List<Map<String, @Nullable Object>> proposed = new ArrayList<>();
        for (String name : PartitionsFile.topics(topicsFile)) {
            for (MetadataResponsePartition partition :
                    new TopicQueries(broker).require(name, false).partitions()) {
                int[] replicas = partition.replicaNodes();
                current.add(json(name, partition.partitionIndex(), replicas));
                int first = brokers.get(partition.partitionIndex() % brokers.size());
                proposed.add(json(name, partition.partitionIndex(), new int[] {first}));
            }
        }
        if (out.isJson()) {
            out.single(JsonText.object("current", document(current), "proposed", document(proposed)));
        }
        out.printf("Current partition replica assignment%n%s%n%n", JsonText.of(document(current)));
        out.printf("Proposed partition reassignment configuration%n%s%n", JsonText.of(document(proposed)));
    }

    private Map<String, List<PartitionsFile.Entry>> wanted() throws IOException {
        if (file == null) {
            throw misused("Missing required option: '--reassignment-json-file'");
        }
        return PartitionsFile.byTopic(file);
    }

    private void verify(BrokerConnection broker, Output out) throws IOException {
        out.println("Status of partition reassignment:");
        for (PartitionsFile.Entry entry :
                wanted().values().stream().flatMap(Collection::stream).toList()) {
            int[] replicas = replicas(broker, entry);
            if (out.isJson()) {
                out.object(JsonText.object(
                        "topic",
                        entry.topic(),
                        "partition",
                        entry.partition(),
                        "replicas",
                        replicas,
                        "completed",
                        Arrays.equals(replicas, entry.numbers("replicas"))));
            }
            out.println(
                    Arrays.equals(replicas, entry.numbers("replicas"))
                            ? "Reassignment of partition " + entry + " is completed."
                            : "There is no active reassignment of partition " + entry + ", but replica set is "
                                    + ids(replicas) + " rather than " + ids(entry.numbers("replicas")) + ".");
        }
    }

    private static int[] replicas(BrokerConnection broker, PartitionsFile.Entry entry) {
        MetadataResponseTopic topic = new TopicQueries(broker).require(entry.topic(), false);
        if (entry.partition() < 0 || entry.partition() >= topic.partitions().size()) {
            throw new ClientException("there is no partition " + entry);
        }
        return topic.partitions().get(entry.partition()).replicaNodes();
    }

    private void assign(BrokerConnection broker, Output out) throws IOException {
        Map<String, List<PartitionsFile.Entry>> wanted = wanted();
        List<ReassignableTopic> topics = new ArrayList<>();
        List<Map<String, @Nullable Object>> current = new ArrayList<>();
        List<String> names = new ArrayList<>();
        wanted.forEach((name, entries) -> {
            List<ReassignablePartition> partitions = new ArrayList<>();
            for (PartitionsFile.Entry entry : entries) {
                current.add(json(name, entry.partition(), replicas(broker, entry)));
                names.add(entry.toString());
                partitions.add(new ReassignablePartition()
                        .partitionIndex(entry.partition())
                        .replicas(action.cancel ? null : entry.numbers("replicas")));
            }
            topics.add(new ReassignableTopic().name(name).partitions(partitions));
        });
        AlterPartitionReassignmentsResponse response = broker.ask(
                ApiKey.ALTER_PARTITION_REASSIGNMENTS,
                new AlterPartitionReassignmentsRequest()
                        .timeoutMs(TIMEOUT_MILLIS)
                        .topics(topics),
                AlterPartitionReassignmentsResponse.class);
        ClientException.require(response.errorCode(), response.errorMessage(), "assigning partitions");
        if (action.cancel) {
            cancelled(response, out);
            return;
        }
        out.printf("Current partition replica assignment%n%n%s%n%n", JsonText.of(document(current)));
        out.println("Save this to use as the --reassignment-json-file option during rollback");
        response.responses()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> ClientException.require(
                                partition.errorCode(),
                                partition.errorMessage(),
                                "assigning " + topic.name() + "-" + partition.partitionIndex())));
        if (out.isJson()) {
            out.single(JsonText.object("previous", document(current), "started", names));
        }
        out.println("Successfully started partition reassignments for " + String.join(",", names));
    }

    private static void cancelled(AlterPartitionReassignmentsResponse response, Output out) {
        response.responses()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    if (partition.errorCode() != ErrorCode.NO_REASSIGNMENT_IN_PROGRESS.code()) {
                        ClientException.require(
                                partition.errorCode(),
                                partition.errorMessage(),
                                "cancelling " + topic.name() + "-" + partition.partitionIndex());
                    }
                }));
        out.println("None of the specified partition reassignments are active.");
    }

    private static Map<String, @Nullable Object> json(String topic, int partition, int[] replicas) {
        List<String> directories = Arrays.stream(replicas).mapToObj(id -> "any").toList();
        return JsonText.object("topic", topic, "partition", partition, "replicas", replicas, "log_dirs", directories);
    }

    private static Map<String, @Nullable Object> document(List<Map<String, @Nullable Object>> partitions) {
        return JsonText.object("version", 1, "partitions", partitions);
    }

    private static String ids(int[] ids) {
        return Arrays.stream(ids).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }
}
