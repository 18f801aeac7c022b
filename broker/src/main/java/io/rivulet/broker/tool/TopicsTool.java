package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreatePartitionsRequest;
import io.rivulet.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import io.rivulet.protocol.message.CreatePartitionsResponse;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponsePartition;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "topics", description = "Create, delete, describe or change topics, as kafka-topics.sh does.")
public final class TopicsTool extends DataTool {
    private static final Output.Table CREATED = new Output.Table("Created topic %s.%n", "", "created");
    private static final Output.Table NAMES = new Output.Table("%s%n", "", "topic");
    private static final int TIMEOUT_MILLIS = 60_000;

    /** Picocli makes sure that exactly one is given, so the last one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Action {
        @Option(names = "--list", description = "print the names of all topics")
        private boolean list;

        @Option(names = "--create", description = "create a topic")
        private boolean create;

        @Option(names = "--describe", description = "print topics and their partitions")
        private boolean describe;

        @Option(names = "--alter", description = "raise the number of partitions")
        private boolean alter;

        @Option(names = "--delete", description = "delete topics")
        private boolean delete;
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @Option(
            names = "--topic",
            paramLabel = "name",
            description = "the topic; a regular expression, except with --create")
    private @Nullable String topic;

    @Option(names = "--partitions", paramLabel = "n", description = "the number of partitions")
    private int partitions = -1;

    @Option(names = "--replication-factor", paramLabel = "n", description = "1, because there is one broker")
    private short replicationFactor = -1;

    @Option(names = "--config", paramLabel = "key=value", description = "a config of the new topic; may be repeated")
    private Map<String, String> configs = new LinkedHashMap<>();

    @Option(names = "--if-not-exists", description = "do nothing if the topic exists")
    private boolean ifNotExists;

    @Option(names = "--if-exists", description = "do nothing if the topic does not exist")
    private boolean ifExists;

    @Option(names = "--exclude-internal", description = "omit internal topics")
    private boolean excludeInternal;

    @Override
    void run(BrokerConnection broker, Output out) {
        if (action.create) {
            create(broker, out);
        } else if (action.list) {
            matching(broker).forEach(found -> out.row(NAMES, found.name()));
        } else if (action.describe) {
            describe(broker, out);
        } else if (action.alter) {
            alter(broker);
        } else {
            delete(broker);
        }
    }

    private void create(BrokerConnection broker, Output out) {
        String name = required(topic, "--topic");
        List<CreatableTopicConfig> wanted = new ArrayList<>();
        configs.forEach(
                (key, value) -> wanted.add(new CreatableTopicConfig().name(key).value(value)));
        CreatableTopicResult result = broker.ask(
                        ApiKey.CREATE_TOPICS,
                        new CreateTopicsRequest()
                                .timeoutMs(TIMEOUT_MILLIS)
                                .topics(List.of(new CreatableTopic()
                                        .name(name)
                                        .numPartitions(partitions)
                                        .replicationFactor(replicationFactor)
                                        .configs(wanted))),
                        CreateTopicsResponse.class)
                .topics()
                .get(0);
        if (ifNotExists && result.errorCode() == ErrorCode.TOPIC_ALREADY_EXISTS.code()) {
            return;
        }
        ClientException.require(result.errorCode(), result.errorMessage(), "creating topic " + name);
        out.row(CREATED, name);
    }

    private List<MetadataResponseTopic> matching(BrokerConnection broker) {
        return new TopicQueries(broker)
                .matching(topic).stream()
                        .filter(found -> !excludeInternal || !found.isInternal())
                        .toList();
    }

    /** Fails if a topic is named and does not exist. */
    private List<MetadataResponseTopic> requireMatching(BrokerConnection broker) {
        List<MetadataResponseTopic> found = matching(broker);
        if (found.isEmpty() && topic != null && !ifExists) {
            throw new ClientException("Topic '" + topic + "' does not exist as expected");
        }
        return found;
    }

    private void describe(BrokerConnection broker, Output out) {
        for (MetadataResponseTopic found : requireMatching(broker)) {
            String name = Objects.requireNonNull(found.name());
            if (out.isJson()) {
                out.object(json(broker, found));
                continue;
            }
            out.printf(
                    "Topic: %s\tTopicId: %s\tPartitionCount: %d\tReplicationFactor: 1\tConfigs: %s%n",
                    name,
                    found.topicId(),
                    found.partitions().size(),
                    ConfigQueries.text(ConfigQueries.ownOf(broker, name)));
            for (MetadataResponsePartition partition : found.partitions()) {
                out.printf(
                        "\tTopic: %s\tPartition: %d\tLeader: %d\tReplicas: %s\tIsr: %s%n",
                        name,
                        partition.partitionIndex(),
                        partition.leaderId(),
                        ids(partition.replicaNodes()),
                        ids(partition.isrNodes()));
            }
        }
    }

    private static Map<String, @Nullable Object> json(BrokerConnection broker, MetadataResponseTopic found) {
        return JsonText.object(
                "topic",
                found.name(),
                "topicId",
                found.topicId(),
                "internal",
                found.isInternal(),
                "configs",
                ConfigQueries.ownOf(broker, Objects.requireNonNull(found.name())),
                "partitions",
                found.partitions().stream()
                        .map(partition -> JsonText.object(
                                "partition",
                                partition.partitionIndex(),
                                "leader",
                                partition.leaderId(),
                                "replicas",
                                partition.replicaNodes(),
                                "isr",
                                partition.isrNodes()))
                        .toList());
    }

    private static String ids(int[] nodes) {
        return Arrays.stream(nodes).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    private void alter(BrokerConnection broker) {
        required(topic, "--topic");
        List<CreatePartitionsTopic> changes = requireMatching(broker).stream()
                .map(found -> new CreatePartitionsTopic()
                        .name(Objects.requireNonNull(found.name()))
                        .count(partitions)
                        .assignments(null))
                .toList();
        broker.ask(
                        ApiKey.CREATE_PARTITIONS,
                        new CreatePartitionsRequest().timeoutMs(TIMEOUT_MILLIS).topics(changes),
                        CreatePartitionsResponse.class)
                .results()
                .forEach(result -> ClientException.require(
                        result.errorCode(), result.errorMessage(), "adding partitions to " + result.name()));
    }

    private void delete(BrokerConnection broker) {
        required(topic, "--topic");
        List<DeleteTopicState> deleted = requireMatching(broker).stream()
                .map(found -> new DeleteTopicState().name(found.name()))
                .toList();
        broker.ask(
                        ApiKey.DELETE_TOPICS,
                        new DeleteTopicsRequest().timeoutMs(TIMEOUT_MILLIS).topics(deleted),
                        DeleteTopicsResponse.class)
                .responses()
                .forEach(result -> ClientException.require(
                        result.errorCode(), result.errorMessage(), "deleting topic " + result.name()));
    }
}
