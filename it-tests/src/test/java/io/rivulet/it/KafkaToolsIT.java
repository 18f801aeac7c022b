package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own command line tools work with this broker as with Kafka. */
@SeveralBrokers
final class KafkaToolsIT {
    @TempDir
    private static Path directory;

    private static TestBroker broker;
    private static KafkaTools tools;

    @BeforeAll
    static void start() throws IOException {
        broker = TestBroker.start(directory.resolve("data"));
        tools = new KafkaTools(directory, broker.bootstrapServers());
    }

    @AfterAll
    static void stop() throws IOException {
        tools.close();
        broker.close();
    }

    @Test
    void topicsAreCreatedListedDescribedAlteredAndDeleted() throws Exception {
        assertThat(topics("--create --topic made --partitions 3 --config retention.ms=1000"))
                .contains("Created topic made.");
        assertThat(topics("--create --topic made --if-not-exists")).isEmpty();
        assertThat(topics("--list")).contains("made");
        assertThat(topics("--describe --topic made"))
                .contains("PartitionCount: 3", "ReplicationFactor: 1", "retention.ms=1000", "Partition: 2");
        assertThat(topics("--alter --topic made --partitions 5")).isEmpty();
        assertThat(topics("--describe --topic made")).contains("PartitionCount: 5", "Partition: 4");
        assertThat(topics("--describe --under-replicated-partitions")).isEmpty();
        assertThat(topics("--describe --topics-with-overrides --topic made")).contains("retention.ms=1000");
        assertThat(topics("--delete --topic made")).isEmpty();
        assertThat(topics("--list").lines()).doesNotContain("made");
    }

    @Test
    void aToolReportsARefusal() throws Exception {
        Programs.Outcome outcome = tools.attempt("", "TopicCommand", "--delete --topic missing");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out() + outcome.err()).contains("Topic 'missing' does not exist as expected");
    }

    @Test
    void configsOfATopicAreAlteredDescribedAndDeleted() throws Exception {
        topics("--create --topic configured");

        assertThat(configs("--entity-type topics --entity-name configured --alter --add-config"
                        + " retention.ms=12345,max.message.bytes=2000"))
                .contains("Completed updating config for topic configured.");
        assertThat(configs("--entity-type topics --entity-name configured --describe"))
                .contains("retention.ms=12345", "max.message.bytes=2000");
        configs("--entity-type topics --entity-name configured --alter --delete-config retention.ms");
        assertThat(configs("--entity-type topics --entity-name configured --describe"))
                .contains("max.message.bytes=2000")
                .doesNotContain("retention.ms");
        assertThat(configs("--entity-type topics --entity-name configured --describe --all"))
                .contains("retention.ms=604800000", "cleanup.policy=delete");
    }

    @Test
    void quotasAreSetDescribedAndDeleted() throws Exception {
        String rule = "--entity-type users --entity-name alice --entity-type clients --entity-default ";
        configs(rule + "--alter --add-config producer_byte_rate=1000,request_percentage=50");
        configs("--entity-type ips --entity-name 10.0.0.1 --alter --add-config connection_creation_rate=5");

        assertThat(configs("--entity-type users --entity-name alice --entity-type clients --describe"))
                .contains("user-principal 'alice'", "producer_byte_rate=1000.0", "request_percentage=50.0");
        assertThat(configs("--entity-type ips --describe")).contains("connection_creation_rate=5.0");

        configs(rule + "--alter --delete-config producer_byte_rate,request_percentage");
        assertThat(configs("--entity-type users --entity-type clients --describe"))
                .doesNotContain("alice");
    }

    @Test
    void configsOfTheBrokerAreDescribed() throws Exception {
        assertThat(configs("--entity-type brokers --entity-name 1 --describe --all"))
                .contains("log.retention.ms=604800000", "rivulet.durability=fsync");
    }

    @Test
    void offsetsArePrinted() throws Exception {
        topics("--create --topic offsets-of --partitions 2");
        sendLines("offsets-of", "a", "b", "c");

        String offsets = tools.run("GetOffsetShell", "--topic-partitions offsets-of:0-2");
        assertThat(offsets.lines()
                        .mapToInt(line -> Integer.parseInt(line.split(":", -1)[2]))
                        .sum())
                .as(offsets)
                .isEqualTo(3);
        assertThat(tools.run("GetOffsetShell", "--topic offsets-of --time earliest"))
                .isEqualTo("offsets-of:0:0\noffsets-of:1:0\n");
        assertThat(tools.run("GetOffsetShell", "--topic offsets-of --time 1")).contains(":0\n");
        assertThat(tools.run("GetOffsetShell", "--topic offsets-of --time max-timestamp"))
                .contains("offsets-of:");
    }

    @Test
    void recordsAreDeletedUpToAnOffset() throws Exception {
        topics("--create --topic trimmed");
        sendLines("trimmed", "a", "b", "c");
        Path offsets = Files.writeString(
                directory.resolve("offsets.json"),
                "{\"partitions\": [{\"topic\": \"trimmed\", \"partition\": 0, \"offset\": 2}], \"version\": 1}");

        assertThat(tools.run("DeleteRecordsCommand", "--offset-json-file " + offsets))
                .contains("partition: trimmed-0\tlow_watermark: 2");
        assertThat(tools.run("GetOffsetShell", "--topic trimmed --time earliest"))
                .isEqualTo("trimmed:0:2\n");
    }

    @Test
    void theConsoleConsumerPrintsWhatTheConsoleProducerSent() throws Exception {
        topics("--create --topic console");
        tools.runWithInput(
                "h1:1,h2:2\tk\tv\nNULL\tk2\tNULL\n",
                "ConsoleProducer",
                "--topic console --compression-codec zstd --reader-property parse.key=true"
                        + " --reader-property parse.headers=true --reader-property null.marker=NULL");

        assertThat(tools.run(
                        "consumer.ConsoleConsumer",
                        "--topic console --partition 0 --offset earliest --max-messages 2 --timeout-ms 30000"
                                + " --formatter-property print.key=true --formatter-property print.headers=true"
                                + " --formatter-property print.offset=true"))
                .isEqualTo("Offset:0\th1:1,h2:2\tk\tv\nOffset:1\tNO_HEADERS\tk2\tnull\n");
    }

    @Test
    void producerPerformanceAndVerifiableProducerWork() throws Exception {
        topics("--create --topic load --partitions 4");

        assertThat(tools.run(
                        "ProducerPerformance", "--topic load --num-records 20000 --record-size 100 --throughput -1"))
                .contains("20000 records sent");
        assertThat(tools.runAlone("VerifiableProducer", "--topic load --max-messages 100"))
                .contains("\"name\":\"shutdown_complete\"", "\"acked\":100", "\"sent\":100");
        assertThat(tools.run("GetOffsetShell", "--topic load --time latest")
                        .lines()
                        .mapToInt(line -> Integer.parseInt(line.split(":", -1)[2]))
                        .sum())
                .isEqualTo(20_100);
    }

    @Test
    void sizesOfPartitionsArePrinted() throws Exception {
        topics("--create --topic measured --partitions 2");
        sendLines("measured", "a");

        String sizes = tools.run("LogDirsCommand", "--describe --topic-list measured");
        assertThat(sizes).contains(directory.resolve("data").toString(), "\"error\":null");
        assertThat(sizes)
                .containsPattern("\"partition\":\"measured-[01]\",\"size\":0,")
                .containsPattern("\"partition\":\"measured-[01]\",\"size\":[1-9]");
    }

    @Test
    void theClusterIsDescribed() throws Exception {
        assertThat(tools.run("BrokerApiVersionsCommand", ""))
                .contains("Produce(0): ", "Fetch(1): ", "id: 1 rack: null");
        assertThat(tools.run("ClusterTool cluster-id", "")).matches("Cluster ID: \\S{22}\n");
        assertThat(tools.run("ClusterTool list-endpoints", "")).contains("localhost");
        assertThat(tools.run("FeatureCommand", "describe"))
                .containsPattern("Feature: metadata.version +SupportedMinVersion: 3.3-IV3 +"
                        + "SupportedMaxVersion: 4.3-IV0 +FinalizedVersionLevel: 4.3-IV0");
        assertThat(tools.run("FeatureCommand", "upgrade --feature transaction.version=2"))
                .contains("transaction.version was upgraded to 2.");
        assertThat(tools.attempt("", "FeatureCommand", "upgrade --feature eligible.leader.replicas.version=1")
                        .exitCode())
                .isEqualTo(1);
    }

    @Test
    void theQuorumIsDescribed() throws Exception {
        assertThat(tools.run("MetadataQuorumCommand", "describe --status"))
                .containsPattern("LeaderId: +1\n")
                .containsPattern("MaxFollowerLag: +0\n")
                .containsPattern("CurrentVoters: +\\[\\{\"id\": 1, ");
        assertThat(tools.run("MetadataQuorumCommand", "describe --replication")).containsPattern("\n1\\s.*Leader");
    }

    @Test
    void partitionsStayWhereTheyAre() throws Exception {
        topics("--create --topic settled");
        Path file = Files.writeString(
                directory.resolve("settled.json"),
                "{\"version\":1,\"partitions\":[{\"topic\":\"settled\",\"partition\":0,\"replicas\":[1],"
                        + "\"log_dirs\":[\"any\"]}]}");
        String argument = " --reassignment-json-file " + file;

        assertThat(tools.run("reassign.ReassignPartitionsCommand", "--list"))
                .contains("No partition reassignments found.");
        assertThat(tools.run("reassign.ReassignPartitionsCommand", "--execute" + argument))
                .contains("Successfully started partition reassignment for settled-0");
        assertThat(tools.run("reassign.ReassignPartitionsCommand", "--verify --preserve-throttles" + argument))
                .contains("Reassignment of partition settled-0 is completed.");
        assertThat(tools.run("reassign.ReassignPartitionsCommand", "--cancel --preserve-throttles" + argument))
                .contains("None of the specified partition reassignments are active.");
        assertThat(tools.run("LeaderElectionCommand", "--election-type preferred --topic settled --partition 0"))
                .contains("Valid replica already elected for partitions settled-0");
        tools.run("LeaderElectionCommand", "--election-type unclean --all-topic-partitions");
    }

    private static void sendLines(String topic, String... lines) throws Exception {
        tools.runWithInput(String.join("\n", lines) + "\n", "ConsoleProducer", "--topic " + topic);
    }

    private static String topics(String arguments) throws Exception {
        return tools.run("TopicCommand", arguments);
    }

    private static String configs(String arguments) throws Exception {
        return tools.run("kafka.admin.ConfigCommand", arguments);
    }
}
