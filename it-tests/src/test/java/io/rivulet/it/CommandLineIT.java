package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sub-commands that replace Kafka's tools. Kafka's own client checks their effects. */
final class CommandLineIT {
    @TempDir
    private Path directory;

    private EmbeddedBroker broker;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.inMemoryOrTemp()
                .with("group.initial.rebalance.delay.ms", "0")
                .start();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void topicsAreCreatedChangedDescribedAndDeleted() throws Exception {
        assertThat(run("topics", "--create", "--topic", "a", "--partitions", "2", "--config", "retention.ms=5")
                        .out())
                .isEqualTo("Created topic a.\n");
        assertThat(run("topics", "--create", "--topic", "a", "--if-not-exists").exitCode())
                .isZero();
        assertThat(run("topics", "--alter", "--topic", "a", "--partitions", "3").exitCode())
                .isZero();

        assertThat(run("topics", "--describe", "--topic", "a").out())
                .contains("Topic: a\t", "PartitionCount: 3", "Configs: retention.ms=5", "\tPartition: 2\tLeader: 1");

        assertThat(run("topics", "--delete", "--topic", "a").exitCode()).isZero();
        assertThat(run("topics", "--list").out()).isEmpty();
    }

    @Test
    void aRefusalIsPrintedAndSetsTheExitCode() throws Exception {
        run("topics", "--create", "--topic", "a");

        Programs.Outcome again = run("topics", "--create", "--topic", "a");
        Programs.Outcome missing = run("topics", "--describe", "--topic", "b");

        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("TOPIC_ALREADY_EXISTS");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("Topic 'b' does not exist");
    }

    @Test
    void withoutABrokerHealthChecksFail() throws Exception {
        broker.close();

        assertThat(run("topics", "--list").exitCode()).isEqualTo(1);
        assertThat(run("broker-api-versions").exitCode()).isEqualTo(1);
    }

    @Test
    void quotasAreSetAndDeleted() throws Exception {
        String[] entity = {"configs", "--entity-type", "users", "--entity-type", "clients", "--entity-name", "alice"};
        run(arguments(entity, "--entity-default", "--alter", "--add-config", "producer_byte_rate=1000"));
        assertThat(run(arguments(entity, "--describe")).out())
                .isEqualTo("Quota configs for user 'alice', the default client-id are producer_byte_rate=1000.0\n");
        assertThat(run("configs", "--entity-type", "ips", "--describe").out()).isEmpty();

        run(arguments(entity, "--entity-default", "--alter", "--delete-config", "producer_byte_rate"));
        assertThat(run("configs", "--entity-type", "users", "--describe").out()).isEmpty();
    }

    private static String[] arguments(String[] first, String... more) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void configsAreSetAndDeleted() throws Exception {
        run("topics", "--create", "--topic", "a");

        run("configs", "--entity-type", "topics", "--entity-name", "a", "--alter", "--add-config", "retention.ms=7");
        assertThat(run("configs", "--topic", "a", "--describe").out())
                .isEqualTo("Dynamic configs for topic a are:\n  retention.ms=7 sensitive=false\n");

        run("configs", "--topic", "a", "--alter", "--delete-config", "retention.ms");
        assertThat(run("configs", "--topic", "a", "--describe").out()).isEqualTo("Dynamic configs for topic a are:\n");
    }

    @Test
    void keysGoToThePartitionsThatKafkasProducerChooses() throws Exception {
        run("topics", "--create", "--topic", "keyed", "--partitions", "7");
        List<String> keys =
                IntStream.range(0, 200).mapToObj(i -> "x".repeat(i % 9) + i).toList();
        String lines = keys.stream().map(key -> key + ":v\n").collect(Collectors.joining());

        runWithInput(
                lines,
                "console-producer",
                "--topic",
                "keyed",
                "--property",
                "parse.key=true",
                "--property",
                "key.separator=:");

        try (KafkaConsumer<String, String> consumer = consumer(Map.of())) {
            consumer.assign(IntStream.range(0, 7)
                    .mapToObj(i -> new TopicPartition("keyed", i))
                    .toList());
            consumer.seekToBeginning(consumer.assignment());
            List<ConsumerRecord<String, String>> records = Clients.poll(consumer, keys.size());
            assertThat(records).extracting(ConsumerRecord::key).containsExactlyInAnyOrderElementsOf(keys);
            assertThat(records)
                    .allSatisfy(record -> assertThat(record.partition())
                            .isEqualTo(BuiltInPartitioner.partitionForKey(
                                    record.key().getBytes(StandardCharsets.UTF_8), 7)));
        }
    }

    @Test
    void recordsArePrintedWithTheRequestedFields() throws Exception {
        runWithInput("k\tv\n", "console-producer", "--topic", "a", "--property", "parse.key=true");
        runWithInput("w\n", "console-producer", "--topic", "a", "--compression-codec", "zstd");

        Programs.Outcome read = run(
                "console-consumer",
                "--topic",
                "a",
                "--from-beginning",
                "--max-messages",
                "2",
                "--property",
                "print.key=true",
                "--property",
                "print.offset=true",
                "--property",
                "print.headers=true",
                "--property",
                "key.separator=|");

        assertThat(read.out()).isEqualTo("Offset:0|NO_HEADERS|k|v\nOffset:1|NO_HEADERS|null|w\n");
    }

    @Test
    void theMarkersOfTransactionsAreNotPrinted() throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "t"),
                new StringSerializer(),
                new StringSerializer())) {
            producer.initTransactions();
            for (String value : List.of("1", "2")) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("a", 0, null, value)).get();
                producer.commitTransaction();
            }
        }

        assertThat(run("console-consumer", "--topic", "a", "--from-beginning", "--max-messages", "2")
                        .out())
                .isEqualTo("1\n2\n");
    }

    @Test
    void offsetsAreFoundByTime() throws Exception {
        runWithInput("1\n2\n3\n", "console-producer", "--topic", "a");

        assertThat(run("get-offsets", "--topic", "a").out()).isEqualTo("a:0:3\n");
        assertThat(run("get-offsets", "--topic", "a", "--time", "earliest").out())
                .isEqualTo("a:0:0\n");
        assertThat(run("get-offsets", "--topic", "a", "--time", "1").out()).isEqualTo("a:0:0\n");
    }

    @Test
    void groupsAreListedDescribedResetAndDeleted() throws Exception {
        runWithInput("1\n2\n3\n", "console-producer", "--topic", "a");
        try (KafkaConsumer<String, String> consumer =
                consumer(Map.of("group.id", "readers", "auto.offset.reset", "earliest"))) {
            consumer.subscribe(List.of("a"));
            Clients.poll(consumer, 3);
            consumer.commitSync(Map.of(new TopicPartition("a", 0), new OffsetAndMetadata(2)));

            assertThat(run("consumer-groups", "--list").out()).isEqualTo("readers\n");
            assertThat(run("consumer-groups", "--describe", "--group", "readers")
                            .out())
                    .containsPattern("readers +a +0 +2 +3 +1 +consumer-readers-");
            assertThat(run("consumer-groups", "--describe", "--group", "readers", "--members")
                            .out())
                    .containsPattern("consumer-readers-.* 1\n");
            assertThat(run("consumer-groups", "--describe", "--group", "readers", "--state")
                            .out())
                    .contains("Stable");
        }

        run("consumer-groups", "--reset-offsets", "--group", "readers", "--topic", "a", "--to-earliest", "--execute");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            assertThat(admin.listConsumerGroupOffsets("readers")
                            .partitionsToOffsetAndMetadata()
                            .get()
                            .get(new TopicPartition("a", 0))
                            .offset())
                    .isZero();
        }
        assertThat(run("console-consumer", "--topic", "a", "--group", "readers", "--max-messages", "2")
                        .out())
                .isEqualTo("1\n2\n");
        assertThat(run("console-consumer", "--topic", "a", "--group", "readers", "--max-messages", "1")
                        .out())
                .isEqualTo("3\n");

        assertThat(run("consumer-groups", "--delete", "--group", "readers").exitCode())
                .isZero();
        assertThat(run("consumer-groups", "--list").out()).isEmpty();
    }

    @Test
    void recordsAreDeletedUpToAnOffset() throws Exception {
        runWithInput("1\n2\n3\n", "console-producer", "--topic", "a");

        assertThat(run("delete-records", "--offset-json-file", partitions("\"offset\": 2"))
                        .out())
                .contains("partition: a-0\tlow_watermark: 2\n");
        Programs.Outcome beyond = run("delete-records", "--offset-json-file", partitions("\"offset\": 9"));

        assertThat(beyond.exitCode()).isEqualTo(1);
        assertThat(beyond.out()).contains("partition: a-0\terror: OFFSET_OUT_OF_RANGE");
        assertThat(run("get-offsets", "--topic", "a", "--time", "earliest").out())
                .isEqualTo("a:0:2\n");
    }

    @Test
    void theClusterAndItsFeaturesAreDescribed() throws Exception {
        assertThat(run("cluster", "cluster-id").out()).matches("Cluster ID: \\S{22}\n");
        assertThat(run("cluster", "list-endpoints").out()).containsPattern("1 +\\S+ +[0-9]+ +null +unfenced +broker");
        assertThat(run("cluster", "unregister", "--id", "7").err()).contains("BROKER_ID_NOT_REGISTERED");
        assertThat(run("features", "describe").out())
                .containsPattern("Feature: metadata.version +SupportedMinVersion: 3.3-IV3 +"
                        + "SupportedMaxVersion: 4.3-IV0 +FinalizedVersionLevel: 4.3-IV0")
                .containsPattern("Feature: share.version +SupportedMinVersion: 0 +SupportedMaxVersion: 1 +");
        assertThat(run("features", "upgrade", "--feature", "group.version=1").out())
                .isEqualTo("group.version was upgraded to 1.\n");
        assertThat(run("features", "downgrade", "--feature", "group.version=0").err())
                .contains("INVALID_UPDATE_VERSION");
    }

    @Test
    void theQuorumIsDescribed() throws Exception {
        assertThat(run("metadata-quorum", "describe", "--status").out())
                .containsPattern("LeaderId: +1\n")
                .containsPattern("HighWatermark: +[1-9][0-9]*\n")
                .containsPattern("MaxFollowerLag: +0\n")
                .containsPattern("CurrentVoters: +\\[\\{\"id\": 1, \"endpoints\": \\[\"CONTROLLER://.+:[0-9]+\"]}]\n");
        assertThat(run("metadata-quorum", "describe", "--replication").out())
                .containsPattern("\n1 +\\S+ +[1-9][0-9]* +0 +[0-9]+ +[0-9]+ +Leader\n");
    }

    @Test
    void partitionsStayWhereTheyAre() throws Exception {
        run("topics", "--create", "--topic", "a");

        assertThat(run("leader-election", "--election-type", "preferred", "--topic", "a", "--partition", "0")
                        .out())
                .isEqualTo("Valid replica already elected for partitions a-0\n");
        assertThat(run("leader-election", "--election-type", "unclean", "--topic", "b", "--partition", "0")
                        .err())
                .contains("UNKNOWN_TOPIC_OR_PARTITION");
        assertThat(run("log-dirs", "--describe", "--topic-list", "a").out())
                .contains("\"logDirs\":[{\"partitions\":[{\"partition\":\"a-0\",\"size\":0,", "\"error\":null");
        String here = partitions("\"replicas\": [1]");
        assertThat(run("reassign-partitions", "--execute", "--reassignment-json-file", here)
                        .out())
                .contains("Successfully started partition reassignments for a-0");
        assertThat(run("reassign-partitions", "--verify", "--reassignment-json-file", here)
                        .out())
                .contains("Reassignment of partition a-0 is completed.");
        assertThat(run("reassign-partitions", "--cancel", "--reassignment-json-file", here)
                        .out())
                .contains("None of the specified partition reassignments are active.");
        assertThat(run("reassign-partitions", "--list").out()).isEqualTo("No partition reassignments found.\n");
        assertThat(run("reassign-partitions", "--execute", "--reassignment-json-file", partitions("\"replicas\": [2]"))
                        .err())
                .contains("INVALID_REPLICA_ASSIGNMENT");
    }

    @Test
    void transactionsAreListedDescribedAndEnded() throws Exception {
        run("topics", "--create", "--topic", "a");
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "t"),
                new StringSerializer(),
                new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("a", 0, null, "v")).get();

            assertThat(run("transactions", "list").out()).containsPattern("t +1 +[0-9]+ +Ongoing");
            assertThat(run("transactions", "describe", "--transactional-id", "t")
                            .out())
                    .containsPattern("Ongoing .* a-0\n");
            assertThat(run("transactions", "describe-producers", "--topic", "a", "--partition", "0")
                            .out())
                    .containsPattern(" 0\n$");
            assertThat(run("transactions", "abort", "--topic", "a", "--partition", "0", "--start-offset", "7")
                            .err())
                    .contains("no open transaction of a-0 starts at offset 7");
            assertThat(run("transactions", "force-terminate", "--transactional-id", "t")
                            .exitCode())
                    .isZero();
            assertThat(run("transactions", "list").out()).doesNotContain("Ongoing");
        }
    }

    @Test
    void loadsAreProducedConsumedAndMeasured() throws Exception {
        run("topics", "--create", "--topic", "a", "--partitions", "2");

        assertThat(run("producer-perf-test", "--topic", "a", "--num-records", "5000", "--throughput", "-1")
                        .out())
                .startsWith("5000 records sent, ");
        assertThat(run("consumer-perf-test", "--topic", "a", "--messages", "5000")
                        .out())
                .startsWith("start.time, ")
                .contains(", 5000, ");
        assertThat(run("e2e-latency", "--topic", "a", "--num-records", "3").out())
                .contains("Avg latency: ", "Percentiles: 50th = ");
    }

    @Test
    void anApplicationOfStreamsIsReset() throws Exception {
        runWithInput("1\n2\n", "console-producer", "--topic", "a");
        for (String topic : List.of("app-store-changelog", "app-mine", "apple-store-changelog")) {
            run("topics", "--create", "--topic", topic);
        }
        run("console-consumer", "--topic", "a", "--group", "app", "--from-beginning", "--max-messages", "2");

        assertThat(run("streams-application-reset", "--application-id", "app", "--input-topics", "a")
                        .out())
                .contains("Topic: a Partition: 0 Offset: 0\n", "Deleting internal topic app-store-changelog\n");
        assertThat(run("topics", "--list").out()).isEqualTo("a\napp-mine\napple-store-changelog\n");
        assertThat(run("groups", "--list").out()).containsPattern("app +[Cc]lassic");
        assertThat(run("acls", "--list").err()).contains("SECURITY_DISABLED");
    }

    /** A file with partition 0 of topic a. */
    private String partitions(String values) throws IOException {
        String entry = "{\"topic\": \"a\", \"partition\": 0, " + values + "}";
        return Files.writeString(directory.resolve("partitions.json"), "{\"partitions\": [" + entry + "]}")
                .toString();
    }

    @Test
    void everyCommandOfTheExerciseSucceeds() throws Exception {
        assertThat(Programs.run(directory, command("exercise")).exitCode()).isZero();
    }

    private KafkaConsumer<String, String> consumer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", broker.bootstrapServers());
        return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
    }

    private Programs.Outcome run(String... arguments) throws IOException, InterruptedException {
        return runWithInput("", arguments);
    }

    private Programs.Outcome runWithInput(String input, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.addAll(List.of("--bootstrap-server", broker.bootstrapServers()));
        return Programs.runWithInput(directory, input, command(words.toArray(String[]::new)));
    }

    private static String[] command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Path.of("..", "broker", "target", "rivulet.jar").toString()));
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }
}
