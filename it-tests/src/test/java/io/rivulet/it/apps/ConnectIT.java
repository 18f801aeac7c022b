package io.rivulet.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.BrokerProcesses;
import io.rivulet.it.Clients;
import io.rivulet.it.SeveralBrokers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kafka Connect copies from a file to a topic to a file. Its configuration, offsets and status are in compacted topics.
 */
@Tag("apps")
@SeveralBrokers
final class ConnectIT {
    private static final int APPENDS_PER_ROUND = 8;
    private static final int LINES_PER_APPEND = 50;
    private static final String TOPIC = "lines";

    @TempDir
    private Path directory;

    private final List<String> lines = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"enabled", "disabled"})
    void allLinesComeThroughThoughWorkerAndBrokerAreKilled(String exactlyOnceSource) throws Exception {
        BrokerProcesses brokers = startBrokers();
        String servers = brokers.servers();
        Files.createFile(in());
        try (Worker worker = new Worker(directory, servers, exactlyOnceSource);
                Admin admin = Clients.admin(servers)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
            worker.configure("source", source());
            worker.configure("sink", sink());
            try (CommittedReader reader = new CommittedReader(servers, List.of(TOPIC))) {
                append(reader, worker);
                worker.killAndStart();
                append(reader, worker);
                brokers.kill();
                brokers.startAgain();
                append(reader, worker);
                reader.readUntilDistinct(TOPIC, lines.size(), worker.process());
                awaitAllInSink(worker);
                List<String> read =
                        reader.of(TOPIC).stream().map(ConsumerRecord::value).toList();
                assertThat(exactlyOnceSource.equals("enabled") ? read : firstOfEach(read))
                        .isEqualTo(lines);
            }
            worker.awaitRunning("source");
            worker.awaitRunning("sink");
            for (String topic : List.of("connect-configs", "connect-offsets", "connect-status")) {
                assertThat(cleanupPolicy(admin, topic)).as(topic).isEqualTo("compact");
            }
        } finally {
            brokers.close();
        }
    }

    private Map<String, String> source() {
        return Map.of(
                "connector.class",
                "org.apache.kafka.connect.file.FileStreamSourceConnector",
                "tasks.max",
                "1",
                "file",
                in().toString(),
                "topic",
                TOPIC);
    }

    private Map<String, String> sink() {
        return Map.of(
                "connector.class", "org.apache.kafka.connect.file.FileStreamSinkConnector",
                "tasks.max", "1",
                "file", out().toString(),
                "topics", TOPIC,
                "consumer.override.isolation.level", "read_committed");
    }

    /** Appends lines, and more each time when most have arrived. */
    private void append(CommittedReader reader, Worker worker) throws Exception {
        for (int i = 0; i < APPENDS_PER_ROUND; i++) {
            reader.readUntilDistinct(TOPIC, lines.size() - LINES_PER_APPEND, worker.process());
            List<String> more = IntStream.range(lines.size(), lines.size() + LINES_PER_APPEND)
                    .mapToObj(line -> "line " + line)
                    .toList();
            lines.addAll(more);
            Files.writeString(in(), String.join("\n", more) + "\n", StandardOpenOption.APPEND);
        }
    }

    /** A file sink may write a line again after a kill, but must not lose one. */
    private void awaitAllInSink(Worker worker) throws Exception {
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(firstOfEach(Files.readAllLines(out())))
                            .containsExactlyInAnyOrderElementsOf(lines));
        } catch (RuntimeException e) {
            throw new AssertionError("output of the worker: " + worker.process().lastWords(), e);
        }
    }

    private static List<String> firstOfEach(List<String> read) {
        return List.copyOf(new LinkedHashSet<>(read));
    }

    private static String cleanupPolicy(Admin admin, String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return admin.describeConfigs(List.of(resource))
                .all()
                .get()
                .get(resource)
                .get("cleanup.policy")
                .value();
    }

    private Path in() {
        return directory.resolve("in.txt");
    }

    private Path out() {
        return directory.resolve("out.txt");
    }

    private BrokerProcesses startBrokers() throws Exception {
        return BrokerProcesses.start(
                directory,
                "--override=group.initial.rebalance.delay.ms=0",
                "--override=group.min.session.timeout.ms=1000",
                "--override=rivulet.tail.bytes=" + (16 << 20));
    }
}
