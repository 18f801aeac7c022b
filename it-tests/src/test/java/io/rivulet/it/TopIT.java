package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.tool.Json;
import io.rivulet.store.faults.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/rivulet top} beside a broker that clients use. */
final class TopIT {
    private static final TopicPartition BUSY = new TopicPartition("orders", 0);

    @TempDir
    private Path directory;

    private String path = System.getenv("PATH");

    private static List<String> command(String... arguments) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-jar",
                                Path.of("../broker/target/rivulet.jar")
                                        .toAbsolutePath()
                                        .normalize()
                                        .toString(),
                                "top"),
                        Stream.of(arguments))
                .toList();
    }

    private Programs.Outcome top(String... arguments) throws Exception {
        return Programs.run(directory, command(arguments).toArray(String[]::new));
    }

    private static Map<?, ?> object(@Nullable String line) {
        return (Map<?, ?>) Objects.requireNonNull(Json.parse(Objects.requireNonNull(line)));
    }

    private static double number(Map<?, ?> object, String name) {
        return ((Number) Objects.requireNonNull(object.get(name), name)).doubleValue();
    }

    private static String http(TestBroker broker) {
        return "localhost:" + Objects.requireNonNull(broker.httpAddress()).getPort();
    }

    private TestBroker broker() throws IOException {
        return TestBroker.start(directory.resolve("data"), Map.of("rivulet.http.listener", "localhost:0"));
    }

    /** Clients that produce to one topic and read it until they are closed. Owned by: one test. */
    private static final class Traffic implements AutoCloseable {
        private final AtomicBoolean ends = new AtomicBoolean();
        private final CompletableFuture<Void> producing;
        private final CompletableFuture<Void> consuming;

        Traffic(String servers) {
            producing = CompletableFuture.runAsync(() -> produce(servers), Traffic::start);
            consuming = CompletableFuture.runAsync(() -> consume(servers), Traffic::start);
        }

        /** A shared pool may have one thread. */
        private static void start(Runnable work) {
            new Thread(work, "traffic").start();
        }

        private void produce(String servers) {
            try (KafkaProducer<String, String> producer = Clients.producer(servers, Map.of())) {
                while (!ends.get()) {
                    producer.send(new ProducerRecord<>(BUSY.topic(), BUSY.partition(), null, "x".repeat(100)));
                    producer.flush();
                }
            }
        }

        private void consume(String servers) {
            try (KafkaConsumer<String, String> consumer = Clients.consumer(servers, Map.of())) {
                consumer.assign(List.of(BUSY));
                consumer.seekToBeginning(List.of(BUSY));
                while (!ends.get()) {
                    consumer.poll(Duration.ofMillis(100));
                }
            }
        }

        /** Returns when the broker has counted what the consumer reads. */
        void awaitRead(String http) {
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> HttpPage.get("http://" + http + "/metrics")
                            .body()
                            .matches("(?s).*bytesout_total\\{topic=\"orders\"} [1-9].*"));
        }

        @Override
        public void close() {
            ends.set(true);
            producing.join();
            consuming.join();
        }
    }

    @Test
    void theRatesOfATopicWithTrafficAreShown() throws Exception {
        try (TestBroker broker = broker();
                KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            producer.send(new ProducerRecord<>("idle", "once")).get();
            try (Traffic traffic = new Traffic(broker.bootstrapServers())) {
                traffic.awaitRead(http(broker));

                Programs.Outcome json = top("--json", "--count=2", "--interval=1s", "--http=" + http(broker));
                Programs.Outcome text = top("--count=1", "--topics=1", "--sort=out", "--http=http://" + http(broker));

                assertThat(json.exitCode()).as(json.err()).isZero();
                assertThat(json.err()).isEmpty();
                assertThat(json.out().lines()).hasSize(2).allSatisfy(line -> assertBusy(object(line)));
                assertThat(text.exitCode()).as(text.err()).isZero();
                assertThat(text.out().lines())
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100))
                        .anySatisfy(line -> assertThat(line).startsWith("TOPIC (1 of 3) "))
                        .anySatisfy(line -> assertThat(line).matches("orders +[1-9]\\S* +\\S+B/s +[1-9]\\S*B/s +-"))
                        .noneMatch(line -> line.contains("idle"));
                assertThat(text.out()).doesNotContain("\u001b");
            }
        }
    }

    private static void assertBusy(Map<?, ?> frame) {
        assertThat(number(frame, "messagesInPerSecond")).isPositive();
        assertThat(number(frame, "bytesInPerSecond")).isGreaterThan(number(frame, "messagesInPerSecond") * 100);
        assertThat(number(frame, "bytesOutPerSecond")).isPositive();
        assertThat(number(frame, "produceRequestsPerSecond")).isPositive();
        assertThat(number(frame, "fsyncsPerSecond")).isPositive();
        assertThat(number(frame, "fsyncMillis")).isPositive();
        assertThat(number(frame, "connections")).isGreaterThanOrEqualTo(3);
        assertThat(number(frame, "partitionCount")).isEqualTo(2);
        assertThat(frame.get("restarted")).isEqualTo(false);
        for (String figure : List.of(
                "requestsPerSecond",
                "fetchRequestsPerSecond",
                "produceP99Millis",
                "fetchP99Millis",
                "tailUsed",
                "topicCount",
                "residentBytes",
                "diskUsableBytes")) {
            assertThat(number(frame, figure)).isNotNegative();
        }
        List<?> topics = (List<?>) Objects.requireNonNull(frame.get("topics"));
        Map<?, ?> first = (Map<?, ?>) topics.get(0);
        assertThat(first.get("topic")).isEqualTo("orders");
        assertThat(number(first, "messagesInPerSecond")).isPositive();
        assertThat(number(first, "bytesOutPerSecond")).isPositive();
    }

    @Test
    void theLagOfAGroupIsShownAndItsNameIsEscaped() throws Exception {
        String group = "late\u001b[2J\n";
        try (TestBroker broker = broker();
                KafkaProducer<String, String> producer = Clients.producer(broker, Map.of());
                Admin admin = Clients.admin(broker)) {
            for (int i = 0; i < 5; i++) {
                producer.send(new ProducerRecord<>(BUSY.topic(), BUSY.partition(), null, "value"))
                        .get();
            }
            admin.alterConsumerGroupOffsets(group, Map.of(BUSY, new OffsetAndMetadata(2)))
                    .all()
                    .get();

            Programs.Outcome json = top("--json", "--count=1", "--interval=1s", "--http=" + http(broker));
            Programs.Outcome text = top("--count=1", "--sort=lag", "--http=" + http(broker));

            List<?> groups = (List<?>) Objects.requireNonNull(object(json.out()).get("groups"));
            Map<?, ?> row = (Map<?, ?>) Objects.requireNonNull(groups.get(0));
            assertThat(row.get("group")).isEqualTo(group);
            assertThat(row.get("topic")).isEqualTo("orders");
            assertThat(number(row, "lag")).isEqualTo(3);
            assertThat(text.out())
                    .containsPattern("\norders +0 +0B/s +0B/s +3\n")
                    .containsPattern("\nlate\\\\u001b\\[2J\\\\u000a +orders +3 +\\S+");
        }
    }

    @Test
    void aBrokerThatEndsAndStartsAgainIsFollowed() throws Exception {
        String place = "localhost:" + Ports.free();
        String[] options = {"--override=listeners=PLAINTEXT://localhost:0", "--override=rivulet.http.listener=" + place
        };
        Process top = null;
        try (ServerProcess server = ServerProcess.start(directory, options)) {
            server.awaitReady();
            top = new ProcessBuilder(command("--json", "--interval=100ms", "--http=" + place)).start();
            BufferedReader lines = top.inputReader(StandardCharsets.UTF_8);
            assertThat(object(lines.readLine()).get("restarted")).isEqualTo(false);

            server.kill();
            Map<?, ?> failed = object(lines.readLine());
            while (!failed.containsKey("error")) {
                failed = object(lines.readLine());
            }
            assertThat(failed.get("error")).asString().contains(place);

            try (ServerProcess again = ServerProcess.start(directory, options)) {
                again.awaitReady();
                Map<?, ?> frame = object(lines.readLine());
                while (frame.containsKey("error")) {
                    frame = object(lines.readLine());
                }
                assertThat(frame.get("restarted")).isEqualTo(true);
                assertThat(number(frame, "messagesInPerSecond")).isZero();
                assertThat(number(frame, "fsyncsPerSecond")).isNotNegative();
                assertThat(object(lines.readLine()).get("restarted")).isEqualTo(false);
            }
        } finally {
            if (top != null) {
                top.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void whatIsNoPageOfABrokerIsAnError() throws Exception {
        try (TestBroker broker = broker()) {
            assertError("does not speak HTTP", 1, "--http=" + broker.bootstrapServers());
        }
        assertError("can't read http://localhost:", 1, "--http=localhost:" + Ports.free());
        assertError("use host:port", 2, "--http=localhost");
        assertError("use a time from 100ms to 60m", 2, "--interval=1ms");

        Programs.Outcome json = top("--json", "--http=localhost:" + Ports.free());
        assertThat(json.exitCode()).isEqualTo(1);
        assertThat(object(json.out()).get("error")).asString().contains("can't read");
    }

    private void assertError(String reason, int exitCode, String... arguments) throws Exception {
        Programs.Outcome outcome = top(arguments);
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(exitCode);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains(reason).doesNotContain("Exception");
    }

    /** With the program that makes a terminal; the shell in it prints the terminal's settings at the end. */
    @Test
    void aTerminalIsAsBeforeAfterQAndAfterAnInterrupt() throws Exception {
        try (TestBroker broker = broker()) {
            for (char key : new char[] {'q', 3}) {
                List<String> screens = inTerminal(key, "--interval=100ms", "--http=" + http(broker));

                assertThat(screens.get(0)).contains("\u001b[?25l\u001b[2J", "rivulet top localhost:", "connections");
                assertThat(screens.get(0).indexOf("\u001b[?25h"))
                        .isGreaterThan(screens.get(0).indexOf("fsync"));
                assertThat(screens.get(1)).containsPattern("(?<!-)\\bicanon\\b").containsPattern("(?<!-)\\becho\\b");
                assertFits(screens.get(0));
            }
        }
    }

    /** An interrupt ends the programs of the terminal with it, also the one that asks for the size. */
    @Test
    void aTerminalThatIsAskedInVainIsAsWideAsBefore() throws Exception {
        stty("[ \"$1\" != size ] || mkdir \"$0.asked\" 2>/dev/null || exit 130");
        try (TestBroker broker = broker()) {
            List<String> screens = inTerminal('q', "--interval=100ms", "--http=" + http(broker));

            assertFits(screens.get(0));
        }
    }

    /** A busy machine answers late: keys are read all the same, and the terminal is as before at the end. */
    @Test
    void aTerminalThatAnswersLateIsRead() throws Exception {
        stty("sleep 3");
        try (TestBroker broker = broker()) {
            List<String> screens = inTerminal('q', "--interval=100ms", "--http=" + http(broker));

            assertThat(screens.get(1)).containsPattern("(?<!-)\\bicanon\\b").containsPattern("(?<!-)\\becho\\b");
        }
    }

    private static void assertFits(String screens) {
        Stream.of(screens.split("\u001b\\[H", -1))
                .skip(2)
                .forEach(screen -> assertThat(screen.replaceAll("\r|\u001b\\[[?0-9]*[A-Za-z]", "")
                                .lines())
                        .hasSizeLessThanOrEqualTo(12)
                        .allSatisfy(line -> assertThat(line).hasSizeLessThan(50)));
    }

    /** Has the tool use a program stty that does this first. */
    private void stty(String before) throws IOException {
        Path own = Files.createDirectory(directory.resolve("own"));
        Files.writeString(own.resolve("stty"), "#!/bin/sh\n" + before + "\nexec /usr/bin/env -i /bin/stty \"$@\"\n");
        assertThat(own.resolve("stty").toFile().setExecutable(true)).isTrue();
        path = own + ":" + System.getenv("PATH");
    }

    /** What was printed until this key had its effect, and after that. */
    private List<String> inTerminal(char key, String... arguments) throws Exception {
        Path printed = Files.createTempFile(directory, "terminal", ".out");
        String shell = "unset LINES COLUMNS; stty rows 12 cols 50; trap : INT; "
                + String.join(" ", command(arguments))
                + "; echo THE-END; stty -a";
        // A build in the background of a shell ignores interrupts, and so would its programs.
        ProcessBuilder builder = new ProcessBuilder(
                        "env", "--default-signal=INT", "script", "-qfec", shell, "/dev/null")
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        builder.environment().put("SHELL", "/bin/bash");
        builder.environment().put("PATH", path);
        builder.environment().put("TERM", "xterm");
        Process terminal = builder.start();
        try (OutputStream keys = terminal.getOutputStream()) {
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> Files.readString(printed).contains("connections"));
            keys.write(key);
            keys.flush();
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> Files.readString(printed).contains("echoke"));
        } finally {
            terminal.destroy();
            terminal.waitFor();
        }
        return new ArrayList<>(List.of(Files.readString(printed).split("THE-END", 2)));
    }
}
