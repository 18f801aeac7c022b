package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.Broker;
import io.rivulet.broker.EmbeddedBroker;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.tool.Json;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.store.failure.FailureLatch;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With --json, what a command prints on standard output is one JSON document, or one for each record. */
final class JsonOutputTest {
    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private int exitCode;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.inMemoryOrTemp()
                .with("group.initial.rebalance.delay.ms", "0")
                .start();
        run("topics --create --topic a --partitions 2 --config retention.ms=60000");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** What the command prints on standard output. */
    private String run(String command) {
        return runLocally(command + " --bootstrap-server " + broker.bootstrapServers());
    }

    private String runLocally(String command) {
        String[] arguments = command.split(" ", -1);
        StringWriter out = new StringWriter();
        exitCode = Rivulet.commandLine(arguments[0])
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .execute(arguments);
        return out.toString();
    }

    private List<Map<String, Object>> rows(String command) {
        return list(Json.parse(run(command + " --json")));
    }

    private Map<String, Object> object(String command) {
        return map(Json.parse(run(command + " --json")));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(@Nullable Object value) {
        return (List<Map<String, Object>>) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    private void produce(String lines, String options) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
        run("console-producer --topic a" + options);
        System.setIn(before);
        assertThat(exitCode).isZero();
    }

    @Test
    void topicsAreRows() {
        assertThat(rows("topics --list")).containsExactly(Map.of("topic", "a"));
        assertThat(rows("topics --create --topic b")).containsExactly(Map.of("created", "b"));

        Map<String, Object> described = rows("topics --describe --topic a").get(0);
        assertThat(described).containsEntry("topic", "a").containsEntry("configs", Map.of("retention.ms", "60000"));
        assertThat(list(described.get("partitions")))
                .hasSize(2)
                .last()
                .isEqualTo(Map.of("partition", 1L, "leader", 1L, "replicas", List.of(1L), "isr", List.of(1L)));

        assertThat(rows("topics --delete --topic a")).isEmpty();
        assertThat(run("topics --describe --topic a --json")).isEmpty();
        assertThat(exitCode).isEqualTo(1);
    }

    @Test
    void offsetsAndGroupsAreRows() {
        produce("one\ntwo\n", "");
        run("console-consumer --topic a --group g --from-beginning --max-messages 2");

        assertThat(rows("get-offsets --topic a").stream()
                        .mapToLong(row -> (long) Objects.requireNonNull(row.get("offset")))
                        .sum())
                .isEqualTo(2);
        assertThat(rows("groups --list").get(0)).containsEntry("group", "g").containsKeys("type", "protocol");
        assertThat(rows("consumer-groups --list --state")).hasSize(1);
        assertThat(rows("consumer-groups --describe --group g"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row)
                        .containsEntry("group", "g")
                        .containsEntry("topic", "a")
                        .containsEntry("lag", 0L)
                        .containsEntry("memberId", null));
        assertThat(rows("consumer-groups --describe --state --group g").get(0)).containsEntry("members", 0L);
        assertThat(rows("consumer-groups --describe --members --group g")).isEmpty();
        assertThat(rows("consumer-groups --reset-offsets --to-earliest --group g --all-topics"))
                .allSatisfy(row -> assertThat(row).containsEntry("newOffset", 0L));
        assertThat(rows("consumer-groups --delete --group g")).containsExactly(Map.of("deleted", "g"));
    }

    @Test
    void shareGroupsAreRows() {
        assertThat(rows("share-groups --list")).isEmpty();
        assertThat(run("share-groups --describe --group none --json")).isEmpty();
        assertThat(exitCode).isEqualTo(1);
        assertThat(rows("share-groups --reset-offsets --to-latest --group s --topic a --dry-run"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row).containsEntry("group", "s").containsEntry("newOffset", 0L));
        assertThat(rows("share-groups --list")).isEmpty();
    }

    @Test
    void streamsGroupsAreRows() {
        join("app");

        assertThat(rows("streams-groups --list --state")).containsExactly(Map.of("group", "app", "state", "NotReady"));
        assertThat(rows("streams-groups --describe --state --group app").get(0))
                .containsEntry("state", "NotReady")
                .containsEntry("members", 1L)
                .containsKeys("groupEpoch", "targetAssignmentEpoch");
        assertThat(rows("streams-groups --describe --members --all-groups").get(0))
                .containsEntry("memberId", "m")
                .containsEntry("processId", "p")
                .containsEntry("activeTasks", "");
        assertThat(rows("streams-groups --describe --members --verbose --group app")
                        .get(0))
                .containsEntry("endpoint", "here:1")
                .containsEntry("topologyEpoch", 1L)
                .containsKeys("memberEpoch", "targetActiveTasks");
        assertThat(run("streams-groups --delete --group app --json")).isEmpty();
        assertThat(exitCode).as("it has a member").isEqualTo(1);
        heartbeat(leave("app"));
        assertThat(rows("streams-groups --reset-offsets --to-latest --execute --group app --input-topic a"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row).containsEntry("group", "app").containsEntry("newOffset", 0L));
        assertThat(rows("streams-groups --describe --group app"))
                .hasSize(2)
                .allSatisfy(row ->
                        assertThat(row).containsEntry("currentOffset", 0L).containsEntry("lag", 0L));
        assertThat(rows("streams-groups --delete-offsets --group app --input-topic a"))
                .containsExactly(Map.of("topic", "a", "status", "Successful"));
        assertThat(rows("streams-groups --describe --group app")).isEmpty();
    }

    @Test
    void aStreamsGroupIsDeletedWithItsInternalTopics() {
        join("app");
        heartbeat(leave("app"));
        run("topics --create --topic app-changelog --partitions 2");

        assertThat(run("streams-groups --delete --group app --delete-internal-topic a --json"))
                .as("a is not internal")
                .isEmpty();
        assertThat(exitCode).isEqualTo(1);
        assertThat(rows("streams-groups --delete --group app --delete-all-internal-topics"))
                .containsExactly(Map.of("deleted", "app"), Map.of("deletedTopic", "app-changelog"));
        assertThat(rows("streams-groups --list")).isEmpty();
        assertThat(rows("topics --list")).containsExactly(Map.of("topic", "a"));
        run("streams-groups --describe --group app");
        assertThat(exitCode).isEqualTo(1);
    }

    /** A member of an application that counts what is in the topic a. It does not come back for its tasks. */
    private void join(String group) {
        heartbeat(new StreamsGroupHeartbeatRequest()
                .groupId(group)
                .memberId("m")
                .processId("p")
                .rebalanceTimeoutMs(60_000)
                .userEndpoint(
                        new StreamsGroupHeartbeatRequest.Endpoint().host("here").port(1))
                .topology(new StreamsGroupHeartbeatRequest.Topology()
                        .epoch(1)
                        .subtopologies(List.of(new StreamsGroupHeartbeatRequest.Subtopology()
                                .subtopologyId("0")
                                .sourceTopics(List.of("a", "missing"))
                                .stateChangelogTopics(List.of(
                                        new StreamsGroupHeartbeatRequest.TopicInfo().name(group + "-changelog"))))))
                .activeTasks(List.of())
                .standbyTasks(List.of())
                .warmupTasks(List.of()));
    }

    private static StreamsGroupHeartbeatRequest leave(String group) {
        return new StreamsGroupHeartbeatRequest().groupId(group).memberId("m").memberEpoch(-1);
    }

    private void heartbeat(StreamsGroupHeartbeatRequest request) {
        try (BrokerConnection connection = BrokerConnection.to(broker.bootstrapServers(), ClientSettings.PLAIN)) {
            StreamsGroupHeartbeatResponse response =
                    connection.ask(ApiKey.STREAMS_GROUP_HEARTBEAT, request, StreamsGroupHeartbeatResponse.class);
            assertThat(response.errorCode()).as(response.errorMessage()).isZero();
        }
    }

    @Test
    void eachRecordIsAnObjectOnALine() {
        produce("k\u00fc:one \"quoted\"\nkey:two\n", " --property parse.key=true --property key.separator=:");

        List<Map<String, Object>> records = run("console-consumer --topic a --from-beginning --max-messages 2 --json")
                .lines()
                .map(line -> map(Json.parse(line)))
                .toList();
        assertThat(records)
                .hasSize(2)
                .anySatisfy(record -> assertThat(record)
                        .containsEntry("key", "k\u00fc")
                        .containsEntry("value", "one \"quoted\"")
                        .containsEntry("topic", "a")
                        .containsEntry("headers", List.of())
                        .containsKeys("partition", "offset", "timestamp"));
    }

    @Test
    void configsAreObjects() {
        assertThat(list(rows("configs --describe --topic a").get(0).get("configs")))
                .containsExactly(Map.of("name", "retention.ms", "value", "60000", "set", true, "sensitive", false));
        assertThat(rows("configs --alter --topic a --add-config retention.ms=7"))
                .containsExactly(Map.of("entityType", "topic", "altered", "a"));
        assertThat(list(Json.parse(runLocally("config --describe --json"))).get(0))
                .containsEntry("key", "node.id")
                .containsKeys("default", "allowed", "help");
        assertThat(list(Json.parse(runLocally("config --describe --json num.partitions"))))
                .hasSize(1);
    }

    @Test
    void theOtherToolsPrintDocuments() throws Exception {
        assertThat(list(object("broker-api-versions").get("apis")))
                .anySatisfy(api -> assertThat(api).containsEntry("name", "Produce"));
        assertThat(rows("cluster cluster-id").get(0)).containsKey("clusterId");
        assertThat(rows("cluster list-endpoints").get(0)).containsEntry("id", 1L);
        assertThat(rows("features describe")).isNotEmpty();
        assertThat(object("metadata-quorum describe --status")).containsEntry("leaderId", 1L);
        assertThat(rows("metadata-quorum describe --replication").get(0)).containsEntry("status", "Leader");
        assertThat(list(object("log-dirs --describe").get("brokers"))).hasSize(1);
        assertThat(object("leader-election --election-type preferred --all-topic-partitions"))
                .containsEntry("elected", List.of());
        assertThat(rows("reassign-partitions --list")).isEmpty();
        assertThat(rows("transactions list")).isEmpty();
        assertThat(rows("transactions describe-producers --topic a --partition 0"))
                .isEmpty();
        assertThat(object("health")).containsEntry("healthy", true);
        assertThat(object("producer-perf-test --topic a --num-records 100")).containsEntry("records", 100L);
        assertThat(object("consumer-perf-test --topic a --messages 100")).containsEntry("records", 100L);
        assertThat(map(object("e2e-latency --topic a --num-records 2").get("latencyMs")))
                .containsKey("p99");
        Path offsets = Files.writeString(
                directory.resolve("offsets.json"),
                "{\"partitions\": [{\"topic\": \"a\", \"partition\": 0, \"offset\": -1}]}");
        assertThat(rows("delete-records --offset-json-file " + offsets).get(0)).containsEntry("error", null);
        assertThat(map(Json.parse(runLocally("version --json")))).containsKeys("version", "java");
    }

    @Test
    void anInspectionIsOneDocumentWithTheDamage() throws Exception {
        Path data = directory.resolve("data");
        Map<String, String> properties = Map.of(
                "listeners",
                "PLAINTEXT://localhost:0",
                "log.dirs",
                data.toString(),
                "rivulet.tail.bytes",
                String.valueOf(16 << 20));
        Broker.start(BrokerConfig.of(properties), new FailureLatch()).close();

        Map<String, Object> sound = map(Json.parse(runLocally("inspect --json --verify " + data)));
        assertThat(sound).containsEntry("sound", true).containsEntry("exitCode", 0L);

        try (Stream<Path> files = Files.list(data.resolve("log"))) {
            Files.delete(
                    files.filter(file -> file.endsWith("log.state")).findAny().orElseThrow());
        }
        Map<String, Object> damaged = map(Json.parse(runLocally("inspect --json --repair " + data)));
        assertThat(damaged).containsEntry("sound", false).containsEntry("exitCode", (long) exitCode);
        assertThat(list(damaged.get("damage")).get(0)).containsKeys("where", "what", "remedy");
        assertThat(map(damaged.get("after"))).containsEntry("damage", List.of());
    }
}
