package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.json.PlainText;
import io.rivulet.broker.tool.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that clients choose can neither forge a line of the log or of a command, nor control a terminal. */
final class ForgedLinesIT {
    private static final String FORGED = "evil\r\n12:00:00.000 ERROR Disk - forged\n{\"level\":\"ERROR\"}\n"
            + "\u001b]0;title\u0007\u001b[2J\u009b2J\u0085\u2028\u2029\u202e\u200b\ufeff";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void noNameForgesALineOfTheLog(String format) throws Exception {
        try (ServerProcess server = ServerProcess.start(
                directory,
                "--override=listeners=PLAINTEXT://localhost:0",
                "--override=rivulet.log.format=" + format,
                "--override=rivulet.log.slow.request.ms=1",
                "--override=group.min.session.timeout.ms=1",
                "--override=group.initial.rebalance.delay.ms=0")) {
            int port = server.awaitReady();
            try (Wire wire = new Wire(port)) {
                useForgedNames(wire);
            }
            assertThat(HttpPage.get(server.http() + "/%0a%1b%5b2J12:00:00.000%20forged?names=%0aforged"))
                    .isEqualTo(new HttpPage.Answer(404, "there is no page /\\u000a\\u001b[2J12:00:00.000 forged\n"));
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .untilAsserted(() -> assertThat(server.err())
                            .contains("Slow request: CreateTopics")
                            .contains("has lost member")
                            .contains("is aborted: it was open for more than"));
            server.terminate();
            server.awaitEnd();

            assertThat(server.err()).contains("evil\\r\\n12:00:00.000 ERROR Disk - forged\\n");
            assertThat(server.err().lines()).allSatisfy(line -> {
                assertThat(PlainText.isPlain(line)).as(line).isTrue();
                if (format.equals("json")) {
                    assertThat((Object) ((Map<?, ?>) Objects.requireNonNull(Json.parse(line))).get("time"))
                            .isNotNull();
                } else {
                    assertThat(line).matches("(?!12:00:00\\.000)\\d\\d:\\d\\d:\\d\\d\\.\\d{3} [A-Z]+ +\\w+ - .*");
                }
            });
        }
    }

    /** As client id, group, transactional id, topic, and name of the client's software. */
    private static void useForgedNames(Wire wire) throws Exception {
        wire.askAs(FORGED, ApiKeys.CREATE_TOPICS, 5, creation("many", 100_000));
        wire.askAs(FORGED, ApiKeys.CREATE_TOPICS, 5, creation(FORGED, 1));
        wire.askAs(
                FORGED,
                ApiKeys.API_VERSIONS,
                3,
                new ApiVersionsRequestData().setClientSoftwareName(FORGED).setClientSoftwareVersion(FORGED));
        JoinGroupRequestProtocolCollection protocols = new JoinGroupRequestProtocolCollection();
        protocols.add(new JoinGroupRequestProtocol().setName(FORGED).setMetadata(new byte[0]));
        wire.askAs(
                FORGED,
                ApiKeys.JOIN_GROUP,
                3,
                new JoinGroupRequestData()
                        .setGroupId(FORGED)
                        .setProtocolType(FORGED)
                        .setSessionTimeoutMs(100)
                        .setRebalanceTimeoutMs(60_000)
                        .setProtocols(protocols));
        InitProducerIdResponseData producer = (InitProducerIdResponseData) wire.askAs(
                FORGED,
                ApiKeys.INIT_PRODUCER_ID,
                1,
                new InitProducerIdRequestData().setTransactionalId(FORGED).setTransactionTimeoutMs(100));
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
        topics.add(new AddPartitionsToTxnTopic().setName("many").setPartitions(List.of(0)));
        wire.askAs(
                FORGED,
                ApiKeys.ADD_PARTITIONS_TO_TXN,
                1,
                new AddPartitionsToTxnRequestData()
                        .setV3AndBelowTransactionalId(FORGED)
                        .setV3AndBelowProducerId(producer.producerId())
                        .setV3AndBelowProducerEpoch(producer.producerEpoch())
                        .setV3AndBelowTopics(topics));
    }

    private static CreateTopicsRequestData creation(String name, int partitions) {
        CreatableTopicCollection topics = new CreatableTopicCollection();
        topics.add(
                new CreatableTopic().setName(name).setNumPartitions(partitions).setReplicationFactor((short) 1));
        return new CreateTopicsRequestData().setTopics(topics).setTimeoutMs(60_000);
    }

    @Test
    void noGroupForgesALineOfACommand() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory, "--override=listeners=PLAINTEXT://localhost:0")) {
            String servers = "localhost:" + server.awaitReady();
            try (Wire wire = new Wire(Integer.parseInt(servers.substring(10)));
                    Admin admin = Clients.admin(servers)) {
                wire.ask(ApiKeys.CREATE_TOPICS, (short) 5, creation("topic", 1));
                admin.alterConsumerGroupOffsets(
                                FORGED, Map.of(new TopicPartition("topic", 0), new OffsetAndMetadata(0, FORGED)))
                        .all()
                        .get();
            }

            assertThat(lines(servers, "consumer-groups", "--list")).hasSize(1);
            assertThat(lines(servers, "groups", "--list")).hasSize(2);
            assertThat(lines(servers, "consumer-groups", "--describe", "--all-groups"))
                    .filteredOn(line -> !line.isEmpty())
                    .hasSize(3);
            for (String[] command : new String[][] {
                {"consumer-groups", "--list", "--json"},
                {"groups", "--list", "--json"},
                {"consumer-groups", "--describe", "--all-groups", "--json"}
            }) {
                String out = String.join("", lines(servers, command));
                assertThat((List<?>) Json.parse(out))
                        .singleElement()
                        .satisfies(row -> assertThat(((Map<?, ?>) Objects.requireNonNull(row)).get("group"))
                                .isEqualTo(FORGED));
            }
        }
    }

    /** The lines of standard output, which have no control character. */
    private List<String> lines(String servers, String... command) throws Exception {
        String[] all = Stream.of(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-jar",
                                "../broker/target/rivulet.jar"),
                        Stream.of(command),
                        Stream.of("--bootstrap-server=" + servers))
                .flatMap(words -> words)
                .toArray(String[]::new);
        Programs.Outcome outcome = Programs.run(directory, all);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out().replace("\n", "").replace("\t", ""))
                .satisfies(text -> assertThat(PlainText.isPlain(text)).as(text).isTrue());
        return outcome.out().lines().toList();
    }
}
