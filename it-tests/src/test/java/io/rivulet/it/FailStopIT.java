package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.FaultShim;
import io.rivulet.store.faults.FaultShim.Call;
import io.rivulet.store.faults.FaultShim.Errno;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of a failed broker ends soon, prints the cause, and loses nothing. */
final class FailStopIT {
    private static final Logger LOG = LoggerFactory.getLogger(FailStopIT.class);
    private static final TopicPartition PARTITION = new TopicPartition("kept", 0);
    private static final int OUT_OF_MEMORY = 3;
    /** The exit code if the error leads to another exception, for example inside a lock of the JDK. */
    private static final int INTERNAL_ERROR = 70;

    private static final int SIGTERM_BEFORE_READY = 143;
    private static final int IO_FAILURE = 74;
    private static final int STOP_HANGS = 75;
    /** One second is promised, but a busy machine may need more. */
    private static final Duration SOON = Duration.ofSeconds(10);

    /** Without failstop and failstop-halt: JDK 25 aborts if a thread that a debugger has stopped halts it. */
    private static final List<String> THREADS = List.of(
            "log-writer",
            "log-io",
            "log-force",
            "log-segments",
            "huge-writer",
            "maintenance",
            "store-tick",
            "groups",
            "event-loop-1",
            "acceptor-1",
            "reader-1",
            "collector-watch",
            "log-output",
            "main");

    @TempDir
    private Path directory;

    private ServerProcess start(int debugPort) throws Exception {
        return ServerProcess.in(directory)
                .java(ThreadKiller.option(debugPort))
                .start("--override=listeners=PLAINTEXT://localhost:0");
    }

    @Test
    void anErrorInAnyThreadEndsTheProcessAndNothingAcknowledgedIsLost() throws Exception {
        List<String> acknowledged = new ArrayList<>();
        for (String thread : THREADS) {
            int debugPort = Ports.free();
            try (ServerProcess server = start(debugPort)) {
                int port = server.awaitReady();
                assertThat(Clients.values(port, PARTITION, acknowledged.size()))
                        .as("before the end of %s", thread)
                        .isEqualTo(acknowledged);
                produce(port, "before the end of " + thread);
                startReadThread(port);
                acknowledged.add("before the end of " + thread);
                long startNanos;
                try (ThreadKiller killer = ThreadKiller.attach(debugPort)) {
                    startNanos = System.nanoTime();
                    killer.kill(thread);
                    wakeEventLoop(port);
                    requireEnd(server, Set.of(OUT_OF_MEMORY, INTERNAL_ERROR), startNanos, thread);
                }
                assertThat(server.err())
                        .containsOnlyOnce("rivulet: thread ")
                        .containsPattern("rivulet: thread " + Pattern.quote(thread)
                                + " has failed: java.lang.*exit code (3|70)\\)");
            }
        }
    }

    /** During the replay, and when the listeners are opened. */
    @ParameterizedTest
    @ValueSource(strings = {"io.rivulet.store.open.ReplayMemory", "io.rivulet.broker.net.BrokerServer"})
    void aStopOrAnErrorDuringTheStartEndsTheProcessAndNothingIsLost(String place) throws Exception {
        try (ServerProcess server = start(Ports.free())) {
            produce(server.awaitReady(), "kept");
            server.kill();
        }
        endDuringStart(place, Set.of(SIGTERM_BEFORE_READY), (server, killer) -> server.terminate());
        endDuringStart(place, Set.of(OUT_OF_MEMORY, INTERNAL_ERROR), (server, killer) -> {
            killer.kill("main");
            killer.resume();
        });
        try (ServerProcess server = start(Ports.free())) {
            assertThat(Clients.values(server.awaitReady(), PARTITION, 1)).containsExactly("kept");
        }
    }

    private interface Ending {
        void of(ServerProcess server, ThreadKiller killer) throws Exception;
    }

    private void endDuringStart(String place, Set<Integer> exitCodes, Ending ending) throws Exception {
        int debugPort = Ports.free();
        try (ServerProcess server = ServerProcess.in(directory)
                        .java(ThreadKiller.waitingOption(debugPort))
                        .start("--override=listeners=PLAINTEXT://localhost:0");
                ThreadKiller killer = ThreadKiller.attach(debugPort)) {
            killer.runUntil(place);
            long startNanos = System.nanoTime();
            ending.of(server, killer);
            requireEnd(server, exitCodes, startNanos, place);
        }
    }

    /** With and without the virtual machine's own option, which bin/rivulet sets. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+ExitOnOutOfMemoryError", "-XX:-ExitOnOutOfMemoryError"})
    void aFullHeapEndsTheProcess(String option) throws Exception {
        try (ServerProcess server = ServerProcess.in(directory)
                .java("-Xmx64m", "-XX:MaxDirectMemorySize=512m", option)
                .start(
                        "--override=listeners=PLAINTEXT://localhost:0",
                        "--override=rivulet.topics.bytes=10000000000",
                        "--override=rivulet.tail.bytes=16777216")) {
            int port = server.awaitReady();
            long startNanos = System.nanoTime();
            try (Wire wire = new Wire(port)) {
                CreatableTopic topic = new CreatableTopic()
                        .setName("too-much")
                        .setNumPartitions(1_900_000)
                        .setReplicationFactor((short) 1);
                wire.send(
                        ApiKeys.CREATE_TOPICS,
                        (short) 5,
                        new CreateTopicsRequestData()
                                .setTimeoutMs(10_000)
                                .setTopics(new CreatableTopicCollection(
                                        List.of(topic).iterator())));
                requireEnd(server, Set.of(OUT_OF_MEMORY), startNanos, "a full heap with " + option);
            }
        }
    }

    @Test
    void aStopThatHangsEndsTheProcessAndPrintsWhere() throws Exception {
        int debugPort = Ports.free();
        try (ServerProcess server = start(debugPort)) {
            server.awaitReady();
            try (ThreadKiller killer = ThreadKiller.attach(debugPort)) {
                killer.suspend("groups");
                long startNanos = System.nanoTime();

                server.terminate();

                assertThat(server.awaitEnd()).as(server.err()).isEqualTo(STOP_HANGS);
                LOG.info(
                        "SIGTERM with a hanging thread: after {} ms",
                        Duration.ofNanos(System.nanoTime() - startNanos).toMillis());
            }
            assertThat(server.err()).containsOnlyOnce("rivulet: the stop hangs while it closes CoordinatorRuntime");
        }
    }

    @Test
    void aFailedForceEndsTheProcessAndNothingAcknowledgedIsLost() throws Exception {
        Path data = directory.resolve("rivulet-data");
        FaultShim shim = FaultShim.compile(directory, Files.createDirectories(data));
        ServerProcess.Launch launch = ServerProcess.in(directory);
        shim.environment().forEach(launch::environment);
        try (ServerProcess server = launch.start("--override=listeners=PLAINTEXT://localhost:0")) {
            int port = server.awaitReady();
            produce(port, "kept");
            shim.fail(Call.FORCE, Errno.EIO);
            long startNanos = System.nanoTime();

            try (KafkaProducer<String, String> producer = producer(port)) {
                producer.send(new ProducerRecord<>(PARTITION.topic(), 0, null, "unknown"));
                requireEnd(server, Set.of(IO_FAILURE), startNanos, "fdatasync with EIO");
            }
            assertThat(server.err()).containsPattern("rivulet: thread log-\\w+ has failed: .*exit code 74\\)");
        }
        shim.heal();
        try (ServerProcess server = ServerProcess.in(directory).start("--override=listeners=PLAINTEXT://localhost:0")) {
            assertThat(Clients.values(server.awaitReady(), PARTITION, 1))
                    .first()
                    .isEqualTo("kept");
        }
    }

    private static void requireEnd(ServerProcess server, Set<Integer> exitCodes, long startNanos, String what)
            throws Exception {
        int code = server.awaitEnd();
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
        LOG.info("{}: exit code {} after {} ms", what, code, took.toMillis());
        assertThat(code).as("%s; it said %s", what, server.err()).isIn(exitCodes);
        assertThat(took).as(what).isLessThan(SOON);
    }

    /** It may wait for the network, and then it does not see the error. */
    private static void wakeEventLoop(int port) {
        try (Wire wire = new Wire(port)) {
            wire.send(ApiKeys.API_VERSIONS, (short) 0, ApiKeys.API_VERSIONS.messageType.newRequest());
        } catch (IOException e) {
            // it has ended already
        }
    }

    private static void startReadThread(int port) throws IOException {
        try (Wire wire = new Wire(port)) {
            wire.ask(ApiKeys.DESCRIBE_LOG_DIRS, (short) 1, new DescribeLogDirsRequestData().setTopics(null));
        }
    }

    private static KafkaProducer<String, String> producer(int port) {
        return Clients.producer(
                "localhost:" + port, Map.of("delivery.timeout.ms", 3000, "request.timeout.ms", 2000, "linger.ms", 0));
    }

    private static void produce(int port, String value) throws Exception {
        try (KafkaProducer<String, String> producer = producer(port)) {
            producer.send(new ProducerRecord<>(PARTITION.topic(), 0, null, value))
                    .get(30, TimeUnit.SECONDS);
        }
    }
}
