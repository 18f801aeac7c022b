package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The compose files of this project, with the installed one of the two compose programs. */
final class ComposeIT {
    private static final Path FILES = Path.of("..", "..", "docker");

    private final List<String> compose = new ArrayList<>();
    private Map<String, String> environment = Map.of();
    private boolean waits;
    private int port;

    @BeforeEach
    void find() throws IOException {
        port = Broker.freePort();
        environment = Map.of(
                "RIVULET_IMAGE", Image.require(),
                "RIVULET_PORT", String.valueOf(port),
                "RIVULET_TOPICS", "survivors:1");
        waits = Shell.succeeds("docker", "compose", "version");
        boolean found = waits || Shell.succeeds("docker-compose", "version");
        if ("true".equals(System.getenv("CI"))) {
            assertThat(found).as("a compose program is installed").isTrue();
        }
        assumeThat(found).as("a compose program is installed").isTrue();
        compose.addAll(waits ? List.of("docker", "compose") : List.of("docker-compose"));
    }

    @AfterEach
    void down() {
        if (compose.contains("-f")) {
            compose("down", "-v", "-t", "1");
        }
    }

    @Test
    void allAcknowledgedRecordsAreThereAfterAKill() throws Exception {
        use("compose.yaml", "rivulet-it-kill");
        up();
        List<String> values =
                IntStream.range(0, 500).mapToObj(i -> "value-" + i).toList();
        KafkaClients.produce("localhost:" + port, "survivors", Map.of(), values);

        Shell.run("docker", "kill", "-s", "KILL", container("kafka"));
        up();

        assertThat(KafkaClients.consume("localhost:" + port, "survivors", values.size()))
                .isEqualTo(values);
    }

    @Test
    void applicationsInsideAndClientsOutsideExchangeRecords() {
        use("compose.apps.yaml", "rivulet-it-apps");
        up();

        assertThat(KafkaClients.consume("localhost:" + port, "orders", 2))
                .allMatch(value -> value.startsWith("order "));
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .until(() -> Shell.run("docker", "logs", container("consumer")).contains("order 2"));
    }

    /** The programs that observe come from elsewhere, so they do not run here. */
    @Test
    void whatObservesTheBrokerIsAddedToIt() {
        use("compose.yaml", "rivulet-it-observe");
        compose.addAll(List.of(
                "-f",
                FILES.resolve("compose.observe.yaml")
                        .toAbsolutePath()
                        .normalize()
                        .toString()));
        List<String> mounted = compose("config")
                .lines()
                .filter(line -> line.contains("docs/observe"))
                .map(line -> line.replaceAll("^[^/]*(/[^:]*).*$", "$1"))
                .toList();
        assertThat(mounted)
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(path -> assertThat(Path.of(path)).exists());
    }

    private void use(String file, String project) {
        compose.addAll(List.of(
                "-p",
                project,
                "-f",
                FILES.resolve(file).toAbsolutePath().normalize().toString()));
    }

    private void up() {
        if (waits) {
            compose("up", "-d", "--wait");
        } else {
            compose("up", "-d");
            String kafka = container("kafka");
            Awaitility.await()
                    .atMost(1, TimeUnit.MINUTES)
                    .until(() -> Shell.run("docker", "inspect", "--format", "{{.State.Health.Status}}", kafka)
                            .strip()
                            .equals("healthy"));
        }
    }

    private String container(String service) {
        return compose("ps", "-q", service)
                .lines()
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    private String compose(String... arguments) {
        List<String> all = new ArrayList<>(compose);
        all.addAll(List.of(arguments));
        return Shell.run(environment, all.toArray(String[]::new));
    }
}
