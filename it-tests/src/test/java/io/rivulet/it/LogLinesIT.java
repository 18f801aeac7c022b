package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.tool.Json;
import io.rivulet.store.faults.FaultShim;
import io.rivulet.store.faults.FaultShim.Call;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a broker's process writes to standard error. */
final class LogLinesIT {
    private static final String ANY_PORT = "--override=listeners=PLAINTEXT://localhost:0";
    private static final int IO_FAILURE = 74;
    private static final short VERSION = 5;

    @TempDir
    private Path directory;

    /** Each line as an object. Fails if a line is no JSON. */
    private static List<Map<?, ?>> objects(String err) {
        List<Map<?, ?>> objects = new ArrayList<>();
        err.lines().forEach(line -> objects.add((Map<?, ?>) Objects.requireNonNull(Json.parse(line))));
        assertThat(objects).isNotEmpty().allSatisfy(object -> {
            assertThat(object.keySet().stream().map(Object::toString))
                    .contains("time", "level", "logger", "thread", "message");
            Instant.parse(String.valueOf(object.get("time")));
        });
        return objects;
    }

    private static List<String> messages(String err) {
        return objects(err).stream()
                .map(object -> String.valueOf(object.get("message")))
                .toList();
    }

    @Test
    void asJsonEachLineOfARunIsAnObject() throws Exception {
        Path properties = directory.resolve("server.properties");
        Files.writeString(properties, "listeners=PLAINTEXT://localhost:0\nrivulet.log.format=json\nno.such.key=1\n");
        try (ServerProcess server = ServerProcess.start(directory, properties.toString())) {
            int port = server.awaitReady();
            try (Wire wire = new Wire(port)) {
                wire.send(ByteBuffer.wrap(new byte[] {0, 0, 0, 8, 0x7f, 0x7f, 0, 0, 0, 0, 0, 0}));
                assertThat(wire.isClosedByBroker()).isTrue();
            }
            server.terminate();
            assertThat(server.awaitEnd()).isZero();

            assertThat(messages(server.err()))
                    .anySatisfy(line -> assertThat(line).contains("unknown and are ignored: no.such.key"))
                    .anySatisfy(line -> assertThat(line).startsWith("Closing the connection from /127.0.0.1"))
                    .endsWith("Stopping");
        }
    }

    @Test
    void asJsonTheLineOfAFailureIsAnObject() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory, ANY_PORT, "--override=rivulet.log.format=json")) {
            server.awaitReady();
            Files.delete(directory.resolve("rivulet-data").resolve("lock"));

            assertThat(server.awaitEnd()).isEqualTo(IO_FAILURE);
            assertThat(messages(server.err()))
                    .anySatisfy(line -> assertThat(line).startsWith("rivulet: thread store-tick has failed"))
                    .anySatisfy(line -> assertThat(line).endsWith("nothing more is written"));
        }
    }

    @Test
    void asJsonTheLineOfAStartThatFailsIsAnObject() throws Exception {
        Files.writeString(directory.resolve("file"), "no directory");
        try (ServerProcess server = ServerProcess.start(
                directory, ANY_PORT, "--override=rivulet.log.format=json", "--override=log.dirs=file")) {
            assertThat(server.awaitEnd()).isEqualTo(1);

            assertThat(messages(server.err()))
                    .singleElement()
                    .asString()
                    .startsWith("rivulet: the broker can't start: ");
        }
    }

    @Test
    void theEnvironmentOfTheImageSetsTheFormat() throws Exception {
        try (ServerProcess server = ServerProcess.in(directory)
                .environment("KAFKA_RIVULET_LOG_FORMAT", "json")
                .environment("KAFKA_NUM_PARTITIONS", "many")
                .container()) {
            assertThat(server.awaitEnd()).isEqualTo(1);

            assertThat(messages(server.err())).singleElement().asString().contains("num.partitions", "many");
        }
    }

    @Test
    void aSlowRequestIsLogged() throws Exception {
        try (ServerProcess server =
                ServerProcess.start(directory, ANY_PORT, "--override=rivulet.log.slow.request.ms=1")) {
            int port = server.awaitReady();
            try (Wire wire = new Wire(port)) {
                wire.ask(ApiKeys.CREATE_TOPICS, VERSION, creation("slow", 100_000));
            }
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .untilAsserted(() -> assertThat(server.err())
                            .containsPattern("WARN  SlowRequests - Slow request: CreateTopics v5 of client 'it' at"
                                    + " /127.0.0.1:\\d+ took \\d+ ms, \\d\\d bytes in, \\d{2,} bytes out\\R"));
        }
    }

    @Test
    void aClientThatIsRefusedTenThousandTimesMakesFewLines() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory, ANY_PORT, "--override=rivulet.max.queues=1")) {
            int port = server.awaitReady();
            Wire.Question[] questions = IntStream.range(0, 1000)
                    .mapToObj(i -> new Wire.Question(ApiKeys.CREATE_TOPICS, VERSION, creation("t" + i, 100)))
                    .toArray(Wire.Question[]::new);
            try (Wire wire = new Wire(port)) {
                for (int round = 0; round < 10; round++) {
                    wire.askTogether(questions)
                            .forEach(answer -> assertThat(((CreateTopicsResponseData) answer)
                                            .topics()
                                            .iterator()
                                            .next()
                                            .errorCode())
                                    .isEqualTo(Errors.INVALID_PARTITIONS.code()));
                }
            }
            server.terminate();
            server.awaitEnd();

            assertThat(server.err().lines())
                    .hasSizeLessThan(10)
                    .anySatisfy(line -> assertThat(line)
                            .contains("Refused, because rivulet.max.queues has no room: 100 more partitions"));
        }
    }

    @Test
    void aMemberThatIsLostAndATransactionThatIsTooOldAreLogged() throws Exception {
        try (ServerProcess server = ServerProcess.start(
                directory,
                ANY_PORT,
                "--override=group.min.session.timeout.ms=1",
                "--override=group.initial.rebalance.delay.ms=0")) {
            int port = server.awaitReady();
            try (Wire wire = new Wire(port)) {
                wire.ask(ApiKeys.JOIN_GROUP, (short) 3, joining("readers", 100));
                wire.ask(ApiKeys.CREATE_TOPICS, VERSION, creation("topic", 1));
                InitProducerIdResponseData producer = (InitProducerIdResponseData) wire.ask(
                        ApiKeys.INIT_PRODUCER_ID,
                        (short) 1,
                        new InitProducerIdRequestData()
                                .setTransactionalId("payments")
                                .setTransactionTimeoutMs(100));
                wire.ask(ApiKeys.ADD_PARTITIONS_TO_TXN, (short) 1, adding(producer));

                awaitLines(
                        server,
                        "INFO  MemberLog - Group readers has lost member it-\\S+ at /127.0.0.1: no heartbeat for 100"
                                + " ms",
                        "INFO  TxnCoordinator - The transaction of payments is aborted: it was open for more than 100"
                                + " ms");
            }
        }
    }

    private static JoinGroupRequestData joining(String group, int sessionMillis) {
        JoinGroupRequestProtocolCollection protocols = new JoinGroupRequestProtocolCollection();
        protocols.add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[0]));
        return new JoinGroupRequestData()
                .setGroupId(group)
                .setProtocolType("any")
                .setSessionTimeoutMs(sessionMillis)
                .setRebalanceTimeoutMs(60_000)
                .setProtocols(protocols);
    }

    private static AddPartitionsToTxnRequestData adding(InitProducerIdResponseData producer) {
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
        topics.add(new AddPartitionsToTxnTopic().setName("topic").setPartitions(List.of(0)));
        return new AddPartitionsToTxnRequestData()
                .setV3AndBelowTransactionalId("payments")
                .setV3AndBelowProducerId(producer.producerId())
                .setV3AndBelowProducerEpoch(producer.producerEpoch())
                .setV3AndBelowTopics(topics);
    }

    private static void awaitLines(ServerProcess server, String... patterns) {
        Awaitility.await().atMost(Clients.PATIENCE).untilAsserted(() -> {
            for (String pattern : patterns) {
                assertThat(server.err()).containsPattern(pattern);
            }
        });
    }

    @Test
    void aSlowDiskAndALongReplayAreLogged() throws Exception {
        FaultShim.require();
        FaultShim shim = FaultShim.compile(directory, Files.createDirectory(directory.resolve("rivulet-data")));
        try (ServerProcess server = start(shim)) {
            int port = server.awaitReady();
            try (KafkaProducer<String, String> producer = Clients.producer("localhost:" + port, Map.of())) {
                for (int i = 0; i < 5000; i++) {
                    producer.send(new ProducerRecord<>("replayed", "x".repeat(4000)));
                }
                producer.flush();
                shim.delay(Call.FORCE, 1000);
                producer.send(new ProducerRecord<>("replayed", "slow"));
                awaitLines(server, "WARN  Forcer - The disk took 1\\d\\d\\d ms for an fsync of \\d+ bytes");
                shim.heal();
            }
            server.kill();
        }
        shim.delay(Call.READ, 80); // about 20 reads of 1 MiB, one after the other
        try (ServerProcess server = start(shim)) {
            server.awaitReady();

            assertThat(server.err())
                    .containsPattern("INFO  StartReplay - Replaying the log: \\d+ % of \\d\\d MiB, \\d+ MiB/s")
                    .containsPattern("INFO  StartReplay - Replayed \\d\\d MiB of the log in \\d{4,} ms, .* queues");
        }
    }

    private ServerProcess start(FaultShim shim) throws Exception {
        ServerProcess.Launch launch = ServerProcess.in(directory);
        shim.environment().forEach(launch::environment);
        return launch.start(ANY_PORT);
    }

    private static CreateTopicsRequestData creation(String name, int partitions) {
        CreatableTopicCollection topics = new CreatableTopicCollection();
        topics.add(
                new CreatableTopic().setName(name).setNumPartitions(partitions).setReplicationFactor((short) 1));
        return new CreateTopicsRequestData().setTopics(topics).setTimeoutMs(60_000);
    }
}
