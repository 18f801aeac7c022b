package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The compose files of this project, with the installed one of the two compose programs. */
final class ComposeIT {
    private static final String ADMIN_PASSWORD = "of-the-admin";
    private static final String ALICE_PASSWORD = "of-alice";

    private Map<String, String> environment = Map.of();
    private @Nullable Compose started;
    private int port;
    private int consolePort;

    @BeforeEach
    void find() throws IOException {
        port = Broker.freePort();
        consolePort = Broker.freePort();
        environment = Map.of(
                "RIVULET_IMAGE",
                Image.require(),
                "RIVULET_PORT",
                String.valueOf(port),
                "RIVULET_CONSOLE_PORT",
                String.valueOf(consolePort),
                "ADMIN_PASSWORD",
                ADMIN_PASSWORD,
                "ALICE_PASSWORD",
                ALICE_PASSWORD,
                "RIVULET_TOPICS",
                "survivors:1");
    }

    @AfterEach
    void down() {
        if (started != null) {
            started.close();
        }
    }

    private Compose use(String project, String... files) {
        Compose compose = Compose.of(project, environment, files);
        started = compose;
        return compose;
    }

    private Compose up(String file, String project) {
        Compose compose = use(project, file);
        compose.up();
        return compose;
    }

    @Test
    void allAcknowledgedRecordsAreThereAfterAKill() throws Exception {
        Compose compose = up("compose.yaml", "rivulet-it-kill");
        List<String> values =
                IntStream.range(0, 500).mapToObj(i -> "value-" + i).toList();
        KafkaClients.produce("localhost:" + port, "survivors", Map.of(), values);

        Shell.run("docker", "kill", "-s", "KILL", compose.container("kafka"));
        compose.up();

        assertThat(KafkaClients.consume("localhost:" + port, "survivors", values.size()))
                .isEqualTo(values);
    }

    @Test
    void theBrokerForTestsOfAJobServesThem() throws Exception {
        Compose compose = up("compose.ci.yaml", "rivulet-it-ci");

        KafkaClients.produce("localhost:" + port, "survivors", Map.of(), List.of("hello"));

        assertThat(KafkaClients.consume("localhost:" + port, "survivors", 1)).containsExactly("hello");
        assertThat(Shell.run(
                        "docker",
                        "exec",
                        compose.container("kafka"),
                        "kafka-topics",
                        "--list",
                        "--bootstrap-server",
                        "localhost:19092"))
                .contains("survivors\n");
    }

    @Test
    void applicationsInsideAndClientsOutsideExchangeRecords() {
        Compose compose = up("compose.apps.yaml", "rivulet-it-apps");

        assertThat(KafkaClients.consume("localhost:" + port, "orders", 2))
                .allMatch(value -> value.startsWith("order "));
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .pollInterval(500, TimeUnit.MILLISECONDS)
                .until(() -> Shell.run("docker", "logs", compose.container("consumer"))
                        .contains("order 2"));
    }

    @Test
    void aUserOfTheSecuredBrokerNeedsAPasswordAndARule(@TempDir Path directory) throws Exception {
        Compose compose = up("compose.secure.yaml", "rivulet-it-secure");
        Path certificate = directory.resolve("certificate.pem");
        Shell.run(
                "docker",
                "cp",
                compose.container("kafka") + ":/var/lib/kafka/data/tls/certificate.pem",
                certificate.toString());
        String servers = "localhost:" + port;
        Map<String, Object> alice = user("alice", ALICE_PASSWORD, certificate);
        try (Admin admin = Admin.create(of(servers, user("admin", ADMIN_PASSWORD, certificate)))) {
            admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1)))
                    .all()
                    .get();
            assertThatThrownBy(() -> KafkaClients.produce(servers, "orders", alice, List.of("refused")))
                    .hasRootCauseInstanceOf(TopicAuthorizationException.class);
            admin.createAcls(List.of(new AclBinding(
                            new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.LITERAL),
                            new AccessControlEntry("User:alice", "*", AclOperation.WRITE, AclPermissionType.ALLOW))))
                    .all()
                    .get();
            KafkaClients.produce(servers, "orders", alice, List.of("allowed"));

            TopicPartition orders = new TopicPartition("orders", 0);
            assertThat(admin.listOffsets(Map.of(orders, OffsetSpec.latest()))
                            .partitionResult(orders)
                            .get()
                            .offset())
                    .isEqualTo(1);
        }
        HttpsPages console = new HttpsPages("https://localhost:" + consolePort + "/console/api/", certificate);
        assertThat(console.status("topics", "alice", "wrong")).isEqualTo(401);
        assertThat(console.get("topics", "alice", ALICE_PASSWORD)).contains("\"orders\"");
        assertThat(console.status("settings", "alice", ALICE_PASSWORD)).isEqualTo(403);
        assertThat(console.status("settings", "admin", ADMIN_PASSWORD)).isEqualTo(200);

        try (Admin stranger = Admin.create(of(servers, user("alice", "wrong", certificate)))) {
            assertThatThrownBy(() -> stranger.listTopics().names().get())
                    .hasRootCauseInstanceOf(SaslAuthenticationException.class);
        }
    }

    private static Map<String, Object> user(String name, String password, Path certificate) {
        return Map.of(
                "security.protocol", "SASL_SSL",
                "ssl.truststore.type", "PEM",
                "ssl.truststore.location", certificate.toString(),
                "sasl.mechanism", "SCRAM-SHA-512",
                "sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + name
                                + "\" password=\"" + password + "\";");
    }

    private static Map<String, Object> of(String servers, Map<String, Object> user) {
        Map<String, Object> all = new HashMap<>(user);
        all.put("bootstrap.servers", servers);
        return all;
    }

    /** The programs that observe come from elsewhere, so they do not run here. */
    @Test
    void whatObservesTheBrokerIsAddedToIt() {
        Compose compose = use("rivulet-it-observe", "compose.yaml", "compose.observe.yaml");
        List<String> mounted = compose.run("config")
                .lines()
                .filter(line -> line.contains("docs/observe"))
                .map(line -> line.replaceAll("^[^/]*(/[^:]*).*$", "$1"))
                .toList();
        assertThat(mounted)
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(path -> assertThat(Path.of(path)).exists());
    }
}
