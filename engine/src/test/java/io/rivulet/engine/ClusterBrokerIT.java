package io.rivulet.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's clients, a broker with rivulet.cluster, and three bookies: as docs/CLUSTER.md starts them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ClusterBrokerIT {
    private static final TopicPartition PARTITION = new TopicPartition("numbers", 0);
    private static final long PRODUCER = 7;
    /** Such a batch is not in the tail but in the log. */
    private static final String LARGE = "x".repeat(100_000);

    private static final String STORE = " io.rivulet.store.open.LocalStore\n";

    private static final Pattern STEPS = Pattern.compile(
            "epoch 2, \\d+ ms after it had no owner: claim \\d+, fence \\d+, load \\d+, wait \\d+, serve" + " \\d+");

    @TempDir
    private static Path directory;

    private static SmallCluster cluster;

    @TempDir
    private Path scratch;

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = new SmallCluster(directory.resolve("cluster"));
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    private ClusterBroker start(Path data, String log) throws IOException {
        return ClusterBroker.start(scratch, data, Ports.free(), cluster.registry() + "/" + log);
    }

    @Test
    void whatWasAcknowledgedIsThereAfterAKill() throws Exception {
        Path data = scratch.resolve("data");
        List<String> sent = new ArrayList<>();
        for (int life = 0; life < 3; life++) {
            try (ClusterBroker broker = start(data, "kill").awaitReady()) {
                assertThat(read(broker)).containsExactlyElementsOf(sent);
                sent.addAll(send(broker, sent.size(), 20));
                broker.process().kill();
            }
        }
        try (ClusterBroker broker = start(data, "kill").awaitReady()) {
            assertThat(read(broker)).containsExactlyElementsOf(sent);
            broker.process().terminate();
            assertThat(broker.process().awaitEnd())
                    .as(broker.process().output())
                    .isZero();
        }
        assertThat(data.resolve("log")).doesNotExist();
    }

    @Test
    void anOwnerThatWasReplacedEndsAndSaysWhy() throws Exception {
        Path data = scratch.resolve("data");
        try (ClusterBroker old = start(data, "fenced").awaitReady()) {
            List<String> sent = send(old, 0, 10);
            Path copy = copy(data, scratch.resolve("copy"));
            try (ClusterBroker other = start(copy, "fenced").awaitReady()) {
                assertThat(read(other)).containsExactlyElementsOf(sent);

                assertThat(sendAndForget(old)).isFalse();

                assertThat(old.process().awaitEnd()).isEqualTo(76);
                assertThat(old.process().output()).contains("the log fenced has another owner now");
                sent.addAll(send(other, 10, 10));
                assertThat(read(other)).containsExactlyElementsOf(sent);
            }
        }
    }

    @Test
    void anotherDirectoryDoesNotStopTheOwner() throws Exception {
        try (ClusterBroker owner = start(scratch.resolve("data"), "taken").awaitReady();
                ClusterBroker other = start(scratch.resolve("other"), "taken")) {
            assertThat(other.process().awaitEnd()).isEqualTo(1);
            assertThat(other.process().output()).contains("belongs to another data directory");
            assertThat(send(owner, 0, 3)).hasSize(3);
        }
    }

    @Test
    void operatorsSeeWhoOwnsALogOfSeveralBrokers() throws Exception {
        String log = cluster.registry() + "/seen";
        int pages = Ports.free();
        try (ClusterBroker first =
                ClusterBroker.start(scratch, 1, Ports.free(), log).awaitServing(1)) {
            try (ClusterBroker second =
                    ClusterBroker.startWithPages(scratch, 2, Ports.free(), log, "localhost:" + pages)) {
                second.awaitReady();
                awaitMetrics(pages, "rivulet_cluster_role{role=\"follower\"} 1", "rivulet_cluster_owner 1");
                assertThat(status(log))
                        .contains("exit code 0", "Owner      broker 1", "2        follower PLAINTEXT://localhost:");

                first.process().terminate();
                assertThat(first.process().awaitEnd()).isZero();
                second.awaitServing(2);

                assertThat(first.process().output())
                        .contains("has served epoch 1 for", "gives it up: this broker stops");
                assertThat(second.process().output()).containsPattern(STEPS);
                awaitMetrics(
                        pages,
                        "rivulet_cluster_role{role=\"owner\"} 1",
                        "rivulet_cluster_owner 2",
                        "rivulet_cluster_takeovers_completed_total 1");
                assertThat(status(log))
                        .contains("Owner      broker 2", "Epoch      2, since ", "2        owner    PLAINTEXT://")
                        .doesNotContain("1        follower");
            }
        }
        assertThat(status(cluster.registry() + "/no-such-log"))
                .contains("exit code 1", "Error: there is no log no-such-log at " + cluster.registry());
    }

    /** Such as one that was killed and started again: clients reach it before it is a member again. */
    @Test
    void aClientMayConnectToABrokerThatTheOwnerDoesNotKnow() throws Exception {
        try (Pair pair = pair("unknown");
                Admin admin = admin(pair.follower())) {
            String id = admin.describeCluster().clusterId().get();

            assertThat(versions(pair.owner(), id, 3)).isEqualTo(Errors.NONE);
            assertThat(versions(pair.follower(), id, 3)).isEqualTo(Errors.NONE);
            assertThat(versions(pair.follower(), "another", 2)).isEqualTo(Errors.REBOOTSTRAP_REQUIRED);
        }
    }

    /**
     * A client has five requests on their way to each broker. So five that a follower has relayed and five that the
     * owner got by itself may all lack an answer.
     */
    @Test
    void theNextOwnerKnowsTheBatchesThatAreOnTheirWayToSeveralBrokers() throws Exception {
        try (Pair pair = pair("batches");
                Admin admin = admin(pair.follower())) {
            admin.createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1)))
                    .all()
                    .get();
            int batches = 5 * 3; // of three brokers
            try (DirectQuestions client = DirectQuestions.patient(pair.owner())) {
                for (int i = 0; i < batches; i++) {
                    assertThat(client.produce(PARTITION, PRODUCER, i)).isEqualTo(i);
                }
            }
            pair.owner().process().kill();
            pair.follower().awaitServing(2);

            try (DirectQuestions client = DirectQuestions.patient(pair.follower())) {
                for (int i = 0; i <= batches; i++) {
                    assertThat(client.produce(PARTITION, PRODUCER, i)).isEqualTo(i);
                }
            }
        }
    }

    /** It takes tens of megabytes: a broker that owns a log again and again would have no memory left. */
    @Test
    void aStoreThatWasGivenUpIsForgotten() throws Exception {
        try (Pair pair = pair("forgotten")) {
            ChildProcess old = pair.owner().process();
            List<String> sent = send(pair.owner(), 0, 10);
            assertThat(read(pair.owner())).isEqualTo(sent);
            assertThat(old.objects()).contains(STORE);

            old.pause();
            pair.follower().awaitServing(2);
            old.resume();
            old.awaitOutput("and gives it up: ");

            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(old.objects()).doesNotContain(STORE));
            assertThat(read(pair.follower())).isEqualTo(sent);
        }
    }

    /** The owner of a log, and a broker that takes it over. */
    private record Pair(ClusterBroker owner, ClusterBroker follower) implements AutoCloseable {
        @Override
        public void close() {
            follower.close();
            owner.close();
        }
    }

    private Pair pair(String name) throws IOException {
        String log = cluster.registry() + "/" + name;
        ClusterBroker owner = ClusterBroker.start(scratch, 1, Ports.free(), log).awaitServing(1);
        return new Pair(
                owner, ClusterBroker.start(scratch, 2, Ports.free(), log).awaitReady());
    }

    private static Admin admin(ClusterBroker broker) {
        return Admin.create(Map.<String, Object>of("bootstrap.servers", broker.servers()));
    }

    private static Errors versions(ClusterBroker broker, String clusterId, int expectedBroker) throws IOException {
        try (DirectQuestions client = DirectQuestions.patient(broker)) {
            return client.versions(clusterId, expectedBroker);
        }
    }

    private String status(String log) throws IOException, InterruptedException {
        return ClusterBroker.run(scratch.resolve("status.log"), "cluster", "status", log);
    }

    private static void awaitMetrics(int port, String... lines) {
        URI page = URI.create("http://localhost:" + port + "/metrics");
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> assertThat(HttpClient.newHttpClient()
                                .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                                .body()
                                .lines())
                        .contains(lines));
    }

    private static List<String> send(ClusterBroker broker, int from, int count)
            throws ExecutionException, InterruptedException {
        List<String> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer(broker, 120_000)) {
            for (int i = from; i < from + count; i++) {
                String value = i % 5 == 0 ? i + LARGE : String.valueOf(i);
                producer.send(new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, value))
                        .get();
                sent.add(value);
            }
        }
        return sent;
    }

    /** Returns whether the record was acknowledged. */
    private static boolean sendAndForget(ClusterBroker broker) throws InterruptedException {
        try (KafkaProducer<String, String> producer = producer(broker, 5_000)) {
            producer.send(new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, "lost"))
                    .get();
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }

    private static KafkaProducer<String, String> producer(ClusterBroker broker, int patienceMillis) {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.servers(),
                        "delivery.timeout.ms",
                        patienceMillis,
                        "request.timeout.ms",
                        patienceMillis / 4,
                        "max.block.ms",
                        patienceMillis),
                new StringSerializer(),
                new StringSerializer());
    }

    private static List<String> read(ClusterBroker broker) {
        List<String> read = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.servers()), new StringDeserializer(), new StringDeserializer())) {
            if (!consumer.listTopics().containsKey(PARTITION.topic())) {
                return read;
            }
            List<TopicPartition> partitions = List.of(PARTITION);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long end = requireNonNull(consumer.endOffsets(partitions).get(PARTITION));
            while (consumer.position(PARTITION) < end) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> read.add(record.value()));
            }
        }
        return read;
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
        return to;
    }
}
