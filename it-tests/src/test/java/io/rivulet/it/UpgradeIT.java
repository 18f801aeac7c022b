package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Data directories of older versions: each was stopped, started again, and killed in its work. An archive is made with
 * {@code -Drivulet.jar=JAR -Drivulet.data.of=NAME}, by the broker in this jar.
 */
final class UpgradeIT {
    private static final Path ARCHIVES = Path.of("src/test/resources/data").toAbsolutePath();
    private static final String SUFFIX = ".tar.gz";
    private static final String MADE_NOW = System.getProperty("rivulet.data.of", "");

    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final int PARTITIONS = 3;
    private static final int BATCH = 20;
    private static final TopicPartition LEDGER = new TopicPartition("ledger", 0);
    private static final TopicPartition LATEST = new TopicPartition("latest", 0);
    private static final Map<TopicPartition, OffsetAndMetadata> COMMITTED =
            Map.of(order(0), new OffsetAndMetadata(7, "seven"), order(1), new OffsetAndMetadata(BATCH));

    @TempDir
    private static Path directory;

    static List<String> versions() throws IOException {
        try (Stream<Path> files = Files.list(ARCHIVES)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX) && name.startsWith(MADE_NOW))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        }
    }

    private static TopicPartition order(int partition) {
        return new TopicPartition("orders", partition);
    }

    // ---- what the older version does ----

    @BeforeAll
    static void makeArchive() throws Exception {
        if (MADE_NOW.isEmpty()) {
            return;
        }
        Path scratch = Files.createDirectory(directory.resolve("old"));
        try (ServerProcess old = start(scratch)) {
            work(old.awaitReady());
            old.terminate();
            old.awaitEnd();
        }
        try (ServerProcess old = start(scratch)) {
            int port = old.awaitReady();
            sendOrders(port, "later");
            leaveTransactionOpen(port);
            old.kill();
        }
        tar(scratch, "-czSf", ARCHIVES.resolve(MADE_NOW + SUFFIX).toString(), "rivulet-data");
    }

    /** Archives are older every day: nothing is deleted by its age. */
    private static ServerProcess start(Path scratch) throws IOException {
        return ServerProcess.start(
                scratch,
                "--override=listeners=PLAINTEXT://localhost:0",
                "--override=log.retention.ms=-1",
                "--override=offsets.retention.minutes=" + Integer.MAX_VALUE);
    }

    private static void tar(Path in, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("tar", "-C", in.toString()));
        command.addAll(List.of(arguments));
        Programs.Outcome outcome =
                Programs.run(Files.createTempDirectory(directory, "run"), command.toArray(String[]::new));
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    }

    private static void work(int port) throws Exception {
        try (Admin admin = Clients.admin("localhost:" + port)) {
            admin.createTopics(List.of(
                            new NewTopic("orders", PARTITIONS, (short) 1).configs(Map.of("retention.ms", "-1")),
                            new NewTopic("latest", 1, (short) 1).configs(Map.of("cleanup.policy", "compact")),
                            new NewTopic("ledger", 1, (short) 1),
                            new NewTopic("gone", 1, (short) 1)))
                    .all()
                    .get();
            for (String codec : CODECS) {
                sendOrders(port, codec);
            }
            sendTransactions(port);
            try (KafkaProducer<String, String> producer = Clients.producer("localhost:" + port, Map.of())) {
                Clients.sendAll(
                        producer,
                        IntStream.range(0, 100)
                                .mapToObj(i -> new ProducerRecord<>("latest", "key-" + i % 10, "value-" + i))
                                .toList());
                producer.send(new ProducerRecord<>("gone", "gone")).get();
            }
            admin.deleteTopics(List.of("gone")).all().get();
        }
        commit(port, "group", Map.of());
        commit(port, "new-group", Map.of("group.protocol", "consumer"));
    }

    private static void commit(int port, String group, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("group.id", group);
        all.put("enable.auto.commit", false);
        try (KafkaConsumer<String, String> consumer = Clients.consumer("localhost:" + port, all)) {
            consumer.subscribe(List.of("orders"));
            while (consumer.assignment().isEmpty()) {
                consumer.poll(Duration.ofMillis(100));
            }
            consumer.commitSync(COMMITTED);
        }
    }

    private static List<String> orders(int partition, String codec) {
        return IntStream.range(0, BATCH)
                .mapToObj(i -> codec + "-" + partition + "-" + i + "x".repeat(100))
                .toList();
    }

    private static void sendOrders(int port, String codec) throws Exception {
        Map<String, Object> settings = CODECS.contains(codec) ? Map.of("compression.type", codec) : Map.of();
        try (KafkaProducer<String, String> producer = Clients.producer("localhost:" + port, settings)) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                List<ProducerRecord<String, String>> records = new ArrayList<>();
                for (String value : orders(partition, codec)) {
                    records.add(new ProducerRecord<>("orders", partition, "key", value));
                }
                Clients.sendAll(producer, records);
            }
        }
    }

    private static void sendTransactions(int port) {
        try (KafkaProducer<String, String> producer =
                Clients.producer("localhost:" + port, Map.of("transactional.id", "ledger"))) {
            producer.initTransactions();
            for (String end : List.of("first", "aborted", "second")) {
                producer.beginTransaction();
                for (int i = 0; i < BATCH; i++) {
                    producer.send(new ProducerRecord<>("ledger", end + "-" + i));
                }
                if (end.equals("aborted")) {
                    producer.flush();
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
    }

    private static void leaveTransactionOpen(int port) {
        KafkaProducer<String, String> producer =
                Clients.producer("localhost:" + port, Map.of("transactional.id", "open"));
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("ledger", "open"));
        producer.flush();
        producer.close(Duration.ZERO);
    }

    // ---- what this version finds ----

    @ParameterizedTest
    @MethodSource("versions")
    void isServedAsItWas(String version) throws Exception {
        Path scratch = Files.createDirectory(directory.resolve(version));
        tar(scratch, "-xzf", ARCHIVES.resolve(version + SUFFIX).toString());

        List<String> sent = new ArrayList<>(CODECS);
        sent.add("later");
        for (String more : List.of("now", "once more")) {
            try (ServerProcess broker = start(scratch)) {
                int port = broker.awaitReady();
                check(port, sent);
                sendOrders(port, more);
                sent.add(more);
                check(port, sent);
                broker.terminate();
                assertThat(broker.awaitEnd()).isZero();
                assertThat(broker.err()).doesNotContain("WARN", "ERROR");
            }
        }
    }

    private static void check(int port, List<String> sent) throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<String> expected = new ArrayList<>();
            for (String codec : sent) {
                expected.addAll(orders(partition, codec));
            }
            assertThat(Clients.values(port, order(partition), expected.size())).isEqualTo(expected);
        }
        assertThat(values(port, LEDGER, 2 * BATCH))
                .containsExactlyElementsOf(Stream.of("first", "second")
                        .flatMap(end -> IntStream.range(0, BATCH).mapToObj(i -> end + "-" + i))
                        .toList());
        assertThat(latest(port)).hasSize(10).containsEntry("key-0", "value-90").containsEntry("key-9", "value-99");
        try (Admin admin = Clients.admin("localhost:" + port)) {
            assertThat(admin.listTopics().names().get()).isEqualTo(Set.of("orders", "latest", "ledger"));
            for (String group : List.of("group", "new-group")) {
                assertThat(admin.listConsumerGroupOffsets(group)
                                .partitionsToOffsetAndMetadata()
                                .get())
                        .isEqualTo(COMMITTED);
            }
            ConfigResource orders = new ConfigResource(ConfigResource.Type.TOPIC, "orders");
            assertThat(admin.describeConfigs(List.of(orders))
                            .all()
                            .get()
                            .get(orders)
                            .get("retention.ms")
                            .value())
                    .isEqualTo("-1");
        }
    }

    private static List<String> values(int port, TopicPartition partition, int count) {
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer("localhost:" + port, Map.of("isolation.level", "read_committed"))) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            return Clients.poll(consumer, count).stream()
                    .map(ConsumerRecord::value)
                    .toList();
        }
    }

    /** The newest value of each key, whether or not older ones are compacted away. */
    private static Map<String, String> latest(int port) {
        try (KafkaConsumer<String, String> consumer = Clients.consumer("localhost:" + port, Map.of())) {
            consumer.assign(List.of(LATEST));
            consumer.seekToBeginning(List.of(LATEST));
            long end = consumer.endOffsets(List.of(LATEST)).get(LATEST);
            Map<String, String> latest = new HashMap<>();
            while (consumer.position(LATEST) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> latest.put(record.key(), record.value()));
            }
            return latest;
        }
    }
}
